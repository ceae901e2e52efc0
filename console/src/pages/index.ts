// Every page of the console, in the order of the navigation.

import type { Page } from "../router";

export const pages: readonly Page[] = [
  { path: "/play", label: "Play", load: () => import("./play/page") },
  { path: "/match/:id", load: () => import("./match/page") },
  { path: "/replay", label: "Watch", load: () => import("./replay/page") },
  { path: "/watch/:id", load: () => import("./replay/watch") },
  { path: "/odds", label: "Odds", load: () => import("./odds/page") },
  { path: "/tower", load: () => import("./tower/page") },
  { path: "/games", label: "Games", load: () => import("./games/page") },
  { path: "/games/:game/rules", load: () => import("./games/rules") },
  { path: "/games/:game/:id", load: () => import("./games/scenario") },
  { path: "/runs", label: "Runs", load: () => import("./runs/page") },
  { path: "/runs/:id", load: () => import("./runs/run") },
  { path: "/tournaments", label: "Tournaments", load: () => import("./tournaments/page") },
  { path: "/tournaments/:id", load: () => import("./tournaments/tournament") },
  { path: "/server", label: "Server", load: () => import("./server/page") },
];

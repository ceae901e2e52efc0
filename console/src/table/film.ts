// The frames of a match that can be shown in any order: loaded in pages around the one that is wanted.

import {
  type Frame,
  type FramePart,
  type GetReplayFramesRequest,
  MatchService,
  type StoryLine,
} from "../api/sengoku";

/** Where frames come from. */
export type Source = Pick<GetReplayFramesRequest, "match" | "replay" | "data" | "tournamentMatch">;

/** Whose view is shown: a seat's, what everybody may see, or everything the source allows. */
export type Viewer = number | "public" | "all";

const PAGE = 12;
const STORY_PAGE = 200;
/** Frames that are kept; each has a picture of about 100 kB. */
const KEPT = 240;
const PARTS: FramePart[] = ["FRAME_PART_PICTURE", "FRAME_PART_EVENTS"];

export class Film {
  /** Decisions of the match, once a frame is there. */
  decisions: number | undefined;
  private readonly frames = new Map<number, Frame>();
  private readonly loading = new Map<number, Promise<void>>();

  constructor(
    private readonly source: Source,
    private readonly viewer: Viewer,
  ) {}

  /** The frame after a decision, if it is there. */
  get(at: number): Frame | undefined {
    return this.frames.get(at);
  }

  /** Loads the page of a decision. */
  async load(at: number): Promise<Frame | undefined> {
    const first = at - (at % PAGE);
    if (!this.frames.has(at)) {
      const before = this.loading.get(first);
      const loading = before ?? this.fetch(first).finally(() => this.loading.delete(first));
      this.loading.set(first, loading);
      await loading;
    }
    return this.frames.get(at);
  }

  private async fetch(first: number): Promise<void> {
    const last = first + PAGE - 1;
    const page = await this.request(first, last, PARTS);
    for (const frame of page) {
      const at = Number(frame.decision ?? 0);
      this.frames.delete(at);
      this.frames.set(at, frame);
    }
    for (const old of this.frames.keys()) {
      if (this.frames.size <= KEPT) break;
      this.frames.delete(old);
    }
  }

  /** All frames of a range; long frames come in several pages. */
  private async request(first: number, last: number, parts: FramePart[]): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (let next: string | undefined = String(first); next !== undefined; ) {
      const page = await MatchService.getReplayFrames({
        ...this.source,
        ...viewed(this.viewer),
        firstDecision: next,
        lastDecision: String(Math.min(last, this.decisions ?? last)),
        parts,
      });
      this.decisions = Number(page.decisions ?? 0);
      frames.push(...(page.frames ?? []));
      next = page.nextDecision;
      if (next !== undefined && Number(next) > Math.min(last, this.decisions)) break;
    }
    return frames;
  }

  /** The story of the match, in parts as they arrive. */
  async *story(signal: AbortSignal): AsyncGenerator<StoryLine[], void, void> {
    for (let next: string | undefined = "0"; next !== undefined && !signal.aborted; ) {
      const page = await MatchService.getReplayFrames(
        {
          ...this.source,
          ...viewed(this.viewer),
          firstDecision: next,
          maxFrames: STORY_PAGE,
          parts: ["FRAME_PART_STORY"],
        },
        { signal },
      );
      this.decisions = Number(page.decisions ?? 0);
      yield (page.frames ?? []).flatMap((frame) => frame.story ?? []);
      next = page.nextDecision;
    }
  }
}

function viewed(viewer: Viewer): Pick<GetReplayFramesRequest, "seat" | "publicOnly"> {
  if (viewer === "all") return {};
  return viewer === "public" ? { publicOnly: true } : { seat: viewer };
}

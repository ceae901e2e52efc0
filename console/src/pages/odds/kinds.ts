// What the three combats have in common: a form, a request, and an answer to show.

import type { ComponentType } from "preact";
import type { EvaluateRequest, EvaluateResponse } from "../../api/sengoku";
import type { Share } from "../../charts/shares";
import type { Values } from "../../parts/hash-state";

/** A distribution to show. */
export interface Left {
  title: string;
  values: number[];
  colour: string;
  /** What the numbers count: one, and several. */
  nouns: readonly [string, string];
}

/** An answer in the terms of the page. */
export interface Answer {
  /** Probabilities of the ends or events. */
  shares: Share[];
  /** What the probabilities are of. */
  heading: string;
  distributions: Left[];
  /** Largest standard error; 0 if exact. */
  error: number;
  samples: number;
  /** Further sentences. */
  remarks: string[];
}

export interface FormProps {
  values: Values;
  change: (changes: Values) => void;
}

/** A combat of one game. */
export interface Kind {
  /** Name of the game, and of the command. */
  game: string;
  title: string;
  explanation: string;
  /** Values of an empty form; the names are those of the address. */
  defaults: Values;
  presets: readonly { name: string; values: Values }[];
  Form: ComponentType<FormProps>;
  request: (values: Values) => EvaluateRequest;
  answer: (response: EvaluateResponse) => Answer;
  /** The question in Python: an import, and an expression. */
  python: (values: Values) => string;
  /** Options of `sengoku odds GAME`. */
  options: (values: Values) => (string | false)[];
}

export const ATTACKER = "var(--attacker)";
export const DEFENDER = "var(--defender)";
export const OTHER = "var(--other)";

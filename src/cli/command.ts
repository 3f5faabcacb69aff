import type { SettingName } from '../config.ts'

/** What a flag is: a switch, or with `takes` the word for its value in the help. */
export interface Flag {
  takes?: string
  required?: true
  help: string
}

export type Flags = Record<string, Flag>

/** The values of a command's flags, by the name without its dashes. */
export type FlagValues<F extends Flags> = {
  [K in keyof F]: F[K] extends { takes: string }
    ? F[K] extends { required: true }
      ? string
      : string | undefined
    : boolean
}

/** The settings given on the command line; `readConfig` joins them with the environment and the file. */
export interface GivenSettings {
  flags: Partial<Record<SettingName, string>>
  file: string | undefined
}

export interface Call<F extends Flags, A extends readonly string[]> {
  flags: FlagValues<F>
  /** What stands in brackets may be left out. */
  args: { [K in keyof A]: A[K] extends `[${string}]` ? string | undefined : string }
  settings: GivenSettings
  /** Whether standard output is to be one line of JSON. */
  json: boolean
}

/** What a command has to say: `text` for people, `data` as one line with --json. */
export interface Outcome {
  text?: string
  data?: unknown
  /** Exit code; 0 when left out. */
  code?: number
}

export interface Command<F extends Flags = Flags, A extends readonly string[] = readonly string[]> {
  /** One word or two: `user create`. */
  name: string
  summary: string
  /** Names of what stands after the command without a flag. */
  args: A
  flags: F
  /** Whether every setting can be given as a flag, and --config. */
  settings: boolean
  /** Whether --json makes a difference. */
  json: boolean
  run(call: Call<F, A>): Promise<Outcome>
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** What a command could not do, in a sentence for whoever called it: exit code 1. */
export class Failure extends Error {}

interface Declaration<F extends Flags, A extends readonly string[]> {
  name: string
  summary: string
  args?: A
  flags?: F
  settings?: boolean
  json?: boolean
  run(call: Call<F, A>): Promise<Outcome>
}

/** Declares a command; one that opens the data folder takes settings, one that answers something takes --json. */
export function command<const F extends Flags = Record<never, never>, const A extends readonly string[] = readonly []>(
  declared: Declaration<F, A>,
): Command {
  const full = { args: [], flags: {}, settings: true, json: true, ...declared }
  return full as unknown as Command
}

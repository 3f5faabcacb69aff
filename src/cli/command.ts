import type { SettingName } from '../config.ts'

/** A switch, or with `takes` a flag whose value has that name in the help. */
interface Flag {
  takes?: string
  required?: true
  help: string
}

export type Flags = Record<string, Flag>

/** The values of a command's flags, by flag name without dashes. */
type FlagValues<F extends Flags> = {
  [K in keyof F]: F[K] extends { takes: string }
    ? F[K] extends { required: true }
      ? string
      : string | undefined
    : boolean
}

/** Settings from the command line. `readConfig` merges them with the environment and the settings file. */
export interface GivenSettings {
  /** The name of the command, for the audit log. */
  command?: string
  flags: Partial<Record<SettingName, string>>
  file: string | undefined
}

export interface Call<F extends Flags, A extends readonly string[]> {
  flags: FlagValues<F>
  /** Positional arguments. An argument whose name is in brackets is optional. */
  args: { [K in keyof A]: A[K] extends `[${string}]` ? string | undefined : string }
  settings: GivenSettings
  /** Whether --json was given: standard output is one line of JSON. */
  json: boolean
}

/** The result of a command: `text` is printed for people, `data` as one line of JSON with --json. */
export interface CommandResult {
  text?: string
  data?: unknown
  /** Exit code; 0 by default. */
  code?: number
}

export interface Command<F extends Flags = Flags, A extends readonly string[] = readonly string[]> {
  /** One word, or two such as `user create`. */
  name: string
  summary: string
  /** Names of the positional arguments. */
  args: A
  flags: F
  /** Whether the command accepts every setting as a flag, and --config. */
  settings: boolean
  /** Whether the command accepts --json. */
  json: boolean
  run(call: Call<F, A>): Promise<CommandResult>
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {}

/** The command failed. The message is a sentence for the caller: exit code 1. */
export class Failure extends Error {}

interface Declaration<F extends Flags, A extends readonly string[]> {
  name: string
  summary: string
  args?: A
  flags?: F
  settings?: boolean
  json?: boolean
  run(call: Call<F, A>): Promise<CommandResult>
}

/** Declares a command. It accepts settings and --json unless the declaration turns them off. */
export function command<const F extends Flags = Record<never, never>, const A extends readonly string[] = readonly []>(
  declared: Declaration<F, A>,
): Command {
  return { args: [], flags: {}, settings: true, json: true, ...declared } as unknown as Command
}

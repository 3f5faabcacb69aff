import { flagName, type SettingName } from '../config.ts'
import { didYouMean } from '../did-you-mean.ts'
import { type Call, type Command, type Flags, type GivenSettings, UsageError } from './command.ts'
import { SETTINGS } from '../settings.ts'

interface Parsed {
  /** Untyped here. Where a command is declared, the compiler knows its flags and arguments. */
  call: Call<Flags, readonly string[]>
  help: boolean
}

/** The setting or option that a command line flag sets. */
type FlagTarget =
  | { kind: 'switch' | 'value'; flag: string }
  | { kind: 'setting'; setting: SettingName; bare: boolean }
  | { kind: 'json' | 'help' | 'config' }

/** Parses the arguments of a command. Throws UsageError for unknown, repeated or missing flags and arguments. */
export function parseArguments(command: Command, args: readonly string[]): Parsed {
  const targets = targetsOf(command)
  const settings: GivenSettings = { flags: {}, file: undefined }
  const values: Record<string, string | boolean> = {}
  const positional: string[] = []
  const seen = new Set<string>()
  const parsed = { json: false, help: false }

  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (word === '--') {
      positional.push(...args.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      positional.push(word)
      continue
    }
    const [name, inline] = splitFlag(word)
    const target = targets.get(name)
    if (!target)
      throw new UsageError(`Unknown flag ${name} for ${command.name}.${didYouMean(name, [...targets.keys()])}`)
    if (seen.has(name)) throw new UsageError(`${name} was given twice.`)
    seen.add(name)

    const next = args[at + 1]
    const takeValue = (): string => {
      if (inline !== undefined) return inline
      if (next === undefined || next.startsWith('--')) throw new UsageError(`${name} needs a value.`)
      at++
      return next
    }
    if (target.kind === 'value') values[target.flag] = takeValue()
    else if (target.kind === 'config') settings.file = takeValue()
    else if (target.kind === 'setting')
      settings.flags[target.setting] =
        target.bare && inline === undefined && !/^(true|false|0|1)$/.test(next ?? '') ? 'true' : takeValue()
    else if (inline !== undefined) throw new UsageError(`${name} takes no value.`)
    else if (target.kind === 'switch') values[target.flag] = true
    else parsed[target.kind] = true
  }

  if (!parsed.help) requireAll(command, values, positional)
  return {
    help: parsed.help,
    call: {
      flags: withSwitches(command, values) as Record<string, never>,
      args: positional,
      settings,
      json: parsed.json,
    },
  }
}

function targetsOf(command: Command): Map<string, FlagTarget> {
  const targets = new Map<string, FlagTarget>([
    ['--help', { kind: 'help' }],
    ['-h', { kind: 'help' }],
  ])
  if (command.json) targets.set('--json', { kind: 'json' })
  if (command.settings) {
    targets.set('--config', { kind: 'config' })
    for (const [setting, { placeholder }] of Object.entries(SETTINGS)) {
      targets.set(flagName(setting), {
        kind: 'setting',
        setting: setting as SettingName,
        bare: placeholder === 'true|false',
      })
    }
  }
  for (const [flag, { takes }] of Object.entries(command.flags))
    targets.set(`--${flag}`, { kind: takes ? 'value' : 'switch', flag })
  return targets
}

function splitFlag(word: string): [name: string, value: string | undefined] {
  const equals = word.indexOf('=')
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)]
}

function requireAll(command: Command, values: Record<string, string | boolean>, positional: readonly string[]): void {
  const missing = Object.entries(command.flags).find(([flag, { required }]) => required && values[flag] === undefined)
  if (missing) throw new UsageError(`--${missing[0]} is missing. See masthead ${command.name} --help.`)
  const needed = command.args.filter((name) => !name.startsWith('['))
  if (positional.length < needed.length)
    throw new UsageError(`${command.args[positional.length]} is missing. See masthead ${command.name} --help.`)
  // The last argument may take all that follow.
  if (positional.length > command.args.length && !command.args.at(-1)?.endsWith('…'))
    throw new UsageError(`Unexpected argument ${positional[command.args.length]}. See masthead ${command.name} --help.`)
}

function withSwitches(command: Command, values: Record<string, string | boolean>): Record<string, string | boolean> {
  const switches = Object.entries(command.flags)
    .filter(([, { takes }]) => takes === undefined)
    .map(([flag]) => [flag, false] as const)
  return { ...Object.fromEntries(switches), ...values }
}

import { didYouMean, flagName, type SettingName, SETTINGS } from '../config.ts'
import { type Call, type Command, type Flags, type GivenSettings, UsageError } from './command.ts'

export interface Parsed {
  /** Its flags are what the command declares; the compiler knows that where the command is declared. */
  call: Call<Flags, readonly string[]>
  help: boolean
}

/** What a flag's value is put into. */
type Slot =
  | { kind: 'switch' | 'value'; flag: string }
  | { kind: 'setting'; setting: SettingName; bare: boolean }
  | { kind: 'json' | 'help' | 'config' }

/** Reads what stands behind a command. Throws UsageError on what the command does not know or what is missing. */
export function parseArguments(command: Command, args: readonly string[]): Parsed {
  const slots = slotsOf(command)
  const settings: GivenSettings = { flags: {}, file: undefined }
  const values: Record<string, string | boolean> = {}
  const plain: string[] = []
  const seen = new Set<string>()
  const parsed = { json: false, help: false }

  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (word === '--') {
      plain.push(...args.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      plain.push(word)
      continue
    }
    const [name, inline] = splitFlag(word)
    const slot = slots.get(name)
    if (!slot) throw new UsageError(`Unknown flag ${name} for ${command.name}.${didYouMean(name, [...slots.keys()])}`)
    if (seen.has(name)) throw new UsageError(`${name} is given twice.`)
    seen.add(name)

    const next = args[at + 1]
    const takeValue = (): string => {
      if (inline !== undefined) return inline
      if (next === undefined || next.startsWith('--')) throw new UsageError(`${name} needs a value.`)
      at++
      return next
    }
    if (slot.kind === 'value') values[slot.flag] = takeValue()
    else if (slot.kind === 'config') settings.file = takeValue()
    else if (slot.kind === 'setting')
      settings.flags[slot.setting] =
        slot.bare && inline === undefined && !/^(true|false|0|1)$/.test(next ?? '') ? 'true' : takeValue()
    else if (inline !== undefined) throw new UsageError(`${name} takes no value.`)
    else if (slot.kind === 'switch') values[slot.flag] = true
    else parsed[slot.kind] = true
  }

  if (!parsed.help) requireAll(command, values, plain)
  return {
    help: parsed.help,
    call: { flags: withSwitches(command, values) as Record<string, never>, args: plain, settings, json: parsed.json },
  }
}

function slotsOf(command: Command): Map<string, Slot> {
  const slots = new Map<string, Slot>([
    ['--help', { kind: 'help' }],
    ['-h', { kind: 'help' }],
  ])
  if (command.json) slots.set('--json', { kind: 'json' })
  if (command.settings) {
    slots.set('--config', { kind: 'config' })
    for (const [setting, { placeholder }] of Object.entries(SETTINGS)) {
      slots.set(flagName(setting), {
        kind: 'setting',
        setting: setting as SettingName,
        bare: placeholder === 'true|false',
      })
    }
  }
  for (const [flag, { takes }] of Object.entries(command.flags))
    slots.set(`--${flag}`, { kind: takes ? 'value' : 'switch', flag })
  return slots
}

function splitFlag(word: string): [name: string, value: string | undefined] {
  const equals = word.indexOf('=')
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)]
}

function requireAll(command: Command, values: Record<string, string | boolean>, plain: readonly string[]): void {
  const missing = Object.entries(command.flags).find(([flag, { required }]) => required && values[flag] === undefined)
  if (missing) throw new UsageError(`--${missing[0]} is missing. See masthead ${command.name} --help.`)
  const needed = command.args.filter((name) => !name.startsWith('['))
  if (plain.length < needed.length)
    throw new UsageError(`${command.args[plain.length]} is missing. See masthead ${command.name} --help.`)
  if (plain.length > command.args.length)
    throw new UsageError(`${command.name} does not know what to do with ${plain[command.args.length]}.`)
}

function withSwitches(command: Command, values: Record<string, string | boolean>): Record<string, string | boolean> {
  const switches = Object.entries(command.flags)
    .filter(([, { takes }]) => takes === undefined)
    .map(([flag]) => [flag, false] as const)
  return { ...Object.fromEntries(switches), ...values }
}

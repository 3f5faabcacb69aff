import { ConfigError, flagName } from '../config.ts'
import { didYouMean } from '../did-you-mean.ts'
import { AppError, type Flaw, UnreachableDatabase } from '../errors.ts'
import { type Command, Failure, type CommandResult, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { commandHelp, configurationPage, familyHelp, overview } from './help.ts'
import { parseArguments } from './parse.ts'
import { oneLine } from '../one-line.ts'

/**
 * Runs one command line. Returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage. An error is one line
 * on standard error.
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const { json, outcome } = await dispatch(args)
    const output = json ? jsonFor(outcome.data) : outcome.text?.replace(CONTROLS, ' ')
    if (output !== undefined) await print(output)
    return outcome.code ?? 0
  } catch (error) {
    process.stderr.write(`masthead: ${sentenceOf(error)}\n`)
    return error instanceof UsageError ||
      error instanceof ConfigError ||
      (error instanceof AppError && error.code === 'VALIDATION_FAILED')
      ? 2
      : 1
  }
}

/** Control characters but line ends: a value from a file or of a user must not control the terminal. */
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

/** JSON in which no character controls the terminal. `JSON.stringify` escapes those below U+0020 only. */
function jsonFor(data: unknown): string | undefined {
  return JSON.stringify(data)?.replace(CONTROLS, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)
}

async function dispatch(args: readonly string[]): Promise<{ json: boolean; outcome: CommandResult }> {
  const [first, ...rest] = args
  if (first === undefined) throw new UsageError('Missing command. See masthead help.')
  if (first === 'help') return { json: false, outcome: { text: helpOn(rest) } }
  if (first === '--help' || first === '-h') return { json: false, outcome: { text: overview(commands) } }
  if (first === '--version') return dispatch(['version', ...rest])

  const command = commandIn(args)
  if (!command) {
    if (rest.includes('--help') && familyOf(first).length > 0)
      return { json: false, outcome: { text: familyHelp(first, familyOf(first)) } }
    throw unknownCommand(args)
  }
  const { call, help } = parseArguments(command, args.slice(command.name.split(' ').length))
  if (help) return { json: false, outcome: { text: commandHelp(command) } }
  const settings = { ...call.settings, command: command.name }
  return { json: call.json, outcome: await command.run({ ...call, settings }) }
}

function commandIn(args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => word === args[index]))
}

/** The commands that share their first word, such as `user create` and `user list`. */
function familyOf(first: string): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `))
}

function helpOn(words: readonly string[]): string {
  if (words.length === 0 || words[0]!.startsWith('-')) return overview(commands)
  if (words[0] === 'configuration') return configurationPage()
  const command = commandIn(words)
  if (command) return commandHelp(command)
  const family = familyOf(words[0]!)
  if (family.length > 0 && words.length === 1) return familyHelp(words[0]!, family)
  throw unknownCommand(words)
}

function unknownCommand(words: readonly string[]): UsageError {
  const [first = '', second] = words
  const family = familyOf(first)
  if (family.length > 0 && (second === undefined || second.startsWith('-'))) {
    return new UsageError(
      `${first} expects one of: ${family.map(({ name }) => name.slice(first.length + 1)).join(', ')}.`,
    )
  }
  const given = family.length > 0 ? `${first} ${second}` : first
  const known =
    family.length > 0 ? family.map(({ name }) => name) : [...commands.map(({ name }) => name.split(' ')[0]!), 'help']
  return new UsageError(`Unknown command ${given}.${didYouMean(given, known) || ' See masthead help.'}`)
}

/** An error as one line for people, without stack traces or SQL. */
function sentenceOf(error: unknown): string {
  if (error instanceof AppError && Array.isArray(error.details)) {
    const flaw = (error.details as Flaw[]).find(({ message }) => message !== undefined)
    if (flaw) return `${flagName(flaw.path.slice(1))}: ${flaw.message}`
  }
  const isForPeople = FOR_PEOPLE.some((kind) => error instanceof kind)
  const cause = !isForPeople && error instanceof Error && error.cause instanceof Error ? error.cause : error
  return oneLine(cause instanceof Error ? cause.message : String(cause)).replace(/ {2,}/g, ' ')
}

/** Errors whose own message tells people what to do; of any other, the cause says more. */
const FOR_PEOPLE = [UsageError, ConfigError, Failure, AppError, UnreachableDatabase]

/** Writes to standard output and waits until it is written. A closed pipe is not an error. */
async function print(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stdout, `${text}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

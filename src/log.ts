import { iso } from './clock.ts'
import { oneLine } from './one-line.ts'

/**
 * Structured logs on standard error: one JSON object a line, or a readable line for people. Callers pass
 * ids and counts; the fields never contain secrets, message bodies or whole addresses.
 */
type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Record<string, string | number | boolean | null | undefined>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  /** A line at `info` that may wait for others, for at most `WAIT_MS`: there is one for each request. */
  often(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  /** A warning that this log has not had yet; its text decides. */
  warnOnce(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Writes the lines that wait. */
  flush(): void
}

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

/** A write of so many bytes is not mixed with those of other threads, also in a pipe (POSIX, PIPE_BUF). */
const WHOLE_BYTES = 4096
const WAIT_MS = 200

/** @param write gets one or several lines, without the end of the last */
export function createLog(
  level: LogLevel,
  format: 'json' | 'pretty',
  now: () => number,
  write: (line: string) => void = toStderr,
): Log {
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    if (lines !== '') write(lines)
  }
  const later = (line: string) => {
    // A character of UTF-16 takes at most three bytes.
    if (3 * (waiting.length + line.length) >= WHOLE_BYTES) flush()
    if (waiting === '') setTimeout(flush, WAIT_MS)
    waiting = waiting === '' ? line : `${waiting}\n${line}`
  }
  const atOnce = (line: string) => {
    flush()
    write(line)
  }
  const at =
    (own: LogLevel, give = atOnce) =>
    (message: string, fields: LogFields = {}) => {
      if (RANK[own] < RANK[level]) return
      const time = iso(now())
      const line =
        format === 'json'
          ? JSON.stringify({ time, level: own, message, ...fields })
          : `${time} ${own.padEnd(5)} ${message}${plain(fields)}`
      // Values may come from outside, such as the reply of a relay. JSON leaves some control characters as they are.
      give(oneLine(line))
    }
  const warn = at('warn')
  const warned = new Set<string>()
  const warnOnce = (message: string, fields?: LogFields) => {
    if (warned.has(message)) return
    warned.add(message)
    warn(message, fields)
  }
  return { debug: at('debug'), info: at('info'), often: at('info', later), warn, warnOnce, error: at('error'), flush }
}

/** The fields of an error: its message and where it was thrown. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) }
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  // The database layer appends the values of a failed query to its text; they may contain addresses.
  const message = error.message
    .replace(/\nparams:[\s\S]*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const at = error.stack
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 3)
    .join(' | ')
  return { error: message, cause, at }
}

function plain(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${value}`)
    .join('')
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}

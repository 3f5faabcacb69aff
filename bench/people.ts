import { closeSync, openSync, writeSync } from 'node:fs'

/** The contacts of all workloads and peers: the n-th is the same everywhere. */
export const COLUMNS = ['email', 'first_name', 'last_name', 'country', 'plan'] as const
export const LIST = 'News'
export const CONSENT = 'I agree to receive the newsletter of Harbour News.'

export const emailOf = (n: number | string): string => `p${n}@example.com`

const COUNTRIES = ['DE', 'FR', 'ES', 'IT', 'SE', 'NO', 'DK', 'PL', 'TR', 'UA']
const PLANS = ['free', 'basic', 'pro', 'enterprise']
const LINES_AT_ONCE = 10_000

export function person(n: number): readonly [string, string, string, string, string] {
  return [emailOf(n), `First${n}`, `Last${n}`, COUNTRIES[n % 10]!, PLANS[Math.floor(n / 10) % 4]!]
}

export function csvOf(from: number, count: number): string {
  return [COLUMNS.join(), ...Array.from({ length: count }, (_, n) => person(from + n).join())].join('\n')
}

/** Writes people with a header line, a part at a time. */
export function writeCsv(path: string, count: number): void {
  const file = openSync(path, 'w')
  writeSync(file, `${COLUMNS.join()}\n`)
  for (let from = 0; from < count; from += LINES_AT_ONCE) {
    const lines = Array.from(
      { length: Math.min(LINES_AT_ONCE, count - from) },
      (_, n) => `${person(from + n).join()}\n`,
    )
    writeSync(file, lines.join(''))
  }
  closeSync(file)
}

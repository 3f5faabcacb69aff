import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { MESSAGES_PER_DAY } from '../src/accounts/notices.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/clock.ts'
import { UPLOAD_LIMITS } from '../src/http/core/uploads.ts'
import { USAGE_LIMITS } from '../src/projects/usage.ts'

/*
 * The documentation promises numbers: test/recorded/promised-numbers.txt says where, each number in braces, and which
 * constants of which file keep the promise. Those that a schema or a setting declares stand elsewhere.
 */

const ROOT = join(import.meta.dir, '..')
const UNITS: Record<string, number> = {
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  second: 1000,
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  megapixel: 1_000_000,
  '%': 0.01,
}
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** `20 MiB`, `five minutes`, `an hour` or `hour` as a number; times are milliseconds. */
function numberOf(text: string): number {
  const [, count = '', unit = ''] = /^([\d.,]+|[a-z]+)? ?(.*)$/i.exec(text)!
  if (count in UNITS) return UNITS[count]!
  const written = count.toLowerCase()
  const known = ['a', 'an'].includes(written) ? 1 : written === 'twenty' ? 20 : WORDS.indexOf(written)
  const value = known >= 0 ? known : Number(count.replaceAll(',', ''))
  return value * (unit === '' ? 1 : UNITS[unit.replace(/s$/, '')]!)
}

const text = new Map<string, string>()
const textOf = (path: string): string => {
  const known = text.get(path) ?? readFileSync(join(ROOT, path), 'utf8')
  text.set(path, known)
  return known
}

/** A constant of a source file. What it is made of are numbers and the lengths of time of src/clock.ts. */
function constantOf(path: string, name: string): number {
  const made = new RegExp(`^(?:export )?const ${name} = (.*)$`, 'm').exec(textOf(path))?.[1] ?? `no ${name}`
  const factors = made.split(' * ').map((factor) => {
    const [base = '', power = '1'] = factor.split(' ** ')
    return ({ MINUTE_MS, HOUR_MS, DAY_MS }[base] ?? Number(base.replaceAll('_', ''))) ** Number(power)
  })
  return factors.reduce((product, factor) => product * factor, 1)
}

const PROMISES = textOf('test/recorded/promised-numbers.txt')
  .split('\n\n')
  .flatMap((block) => {
    const [document = '', ...promises] = block.split(/\n(?:- )?/).filter(Boolean)
    return Array.from({ length: promises.length / 2 }, (_, index) => ({
      document,
      phrase: promises[2 * index]!,
      kept_by: promises[2 * index + 1]!.trim().split(' '),
    }))
  })

test('Every recorded promise stands in its document.', () => {
  const plain = (words: string): string => words.replaceAll(/[{}]/g, '').replaceAll(/\s+/g, ' ')
  const gone = PROMISES.filter(({ document, phrase }) => !plain(textOf(document)).includes(plain(phrase)))
  expect(gone.map(({ document, phrase }) => `${document}: ${phrase}`)).toEqual([])
  expect(PROMISES.length).toBeGreaterThan(100)
})

test('Every promised number is the one of the constant that keeps it.', () => {
  const broken = PROMISES.flatMap(({ document, phrase, kept_by: [file, ...names] }) => {
    const promised = [...phrase.matchAll(/\{([^{}]+)\}/g)].map(([, number]) => numberOf(number!))
    const kept = names.map((name) => constantOf(file!, name))
    return Bun.deepEquals(promised, kept) ? [] : [`${document}: ${phrase}: ${file} has ${kept.join(', ')}`]
  })
  expect(broken).toEqual([])
})

/** The row of a table in docs/api/limits.md that begins so, without its first cell. */
function limitsOf(beginning: string): string {
  const row = textOf('docs/api/limits.md')
    .split('\n')
    .find((line) => line.startsWith(`| ${beginning} |`))
  return row!.slice(beginning.length + 5)
}

test('The documented limits of stored data are those of each kind.', () => {
  const written = ({ rows, bytes }: { rows: number; bytes: number }, of = '') => {
    const size = bytes >= UNITS.GiB! ? `${bytes / UNITS.GiB!} GiB` : `${bytes / UNITS.MiB!} MiB`
    return `${rows.toLocaleString('en')}, and ${size} of ${of}`
  }
  for (const [row, kind, of] of [
    ['form entries of a project', 'form_entries', 'them'],
    ["files of a project's site", 'site_files', 'them'],
    ['pages of a project', 'pages', 'HTML'],
    ['posts of a project', 'posts', 'content'],
    ['directory items of a project', 'directory_items', 'fields'],
  ] as const)
    expect(limitsOf(row)).toStartWith(`${written(USAGE_LIMITS[kind], of)} |`)
  expect(limitsOf('files of a project')).toContain(`and ${USAGE_LIMITS.files.bytes / UNITS.GiB!} GiB of them`)
  expect(limitsOf('suppressions of a project, for `suppressions/add`')).toStartWith(
    USAGE_LIMITS.suppressions.rows.toLocaleString('en'),
  )
})

test('The documented budgets of unfinished bodies are those of callers without and with credentials.', () => {
  const { anonymous, known, grace_ms } = UPLOAD_LIMITS
  const rows: [string, keyof typeof anonymous, number][] = [
    ['bytes in one process', 'process_bytes', 1],
    ['bytes from one client address (IPv6: /64)', 'address_bytes', 1],
    [`bodies from one client address that take longer than ${grace_ms / 1000} seconds`, 'address_slow', 1],
    ['longest time without a byte', 'stalled_ms', 1],
    ['longest time in all', 'longest_ms', 1],
  ]
  for (const [row, budget] of rows) {
    const documented = limitsOf(row).split(' |').slice(0, 2)
    expect(
      documented.map((cell) => numberOf(cell.trim())),
      row,
    ).toEqual([anonymous[budget], known[budget]])
  }
  expect(limitsOf(`least average rate after ${grace_ms / 1000} seconds`)).toStartWith('1 KiB a second | |')
  expect([anonymous.bytes_per_second, known.bytes_per_second]).toEqual([1024, 0])
})

test('The documented messages a day of a mailbox are those of each kind.', () => {
  const { invitation, email_change, sign_up } = MESSAGES_PER_DAY
  expect(textOf('docs/security.md')).toContain(
    `${invitation} invitations, ${sign_up} sign-ups and ${email_change} new addresses a day of a mailbox`,
  )
})

import { dense, refusal } from './tour-values.ts'

type Json = Record<string, unknown>

export interface Answers {
  /** Lines that tell an answer. @param show only these headers are told, in place of the number of their set */
  lines(answer: Response, text: string, show?: readonly string[]): string[]
  /** As `lines`, of the answer of an operation: its `data`, and no headers but one. */
  dataLines(status: number, headers: Headers, body: unknown): string[]
}

/** Tells answers in lines: what was told before is told as a number, or as what changed since. */
export function createAnswers(): Answers {
  const headerSets: string[] = []
  const resources = new Map<string, Json>()
  /** The lines of pages that were written, and where each stands last. */
  const pages: string[] = []
  const places = new Map<string, number>()

  const headersOf = (answer: Response, show: readonly string[] | undefined): string => {
    if (show) return show.map((name) => `${name}: ${answer.headers.get(name)}`).join(' | ')
    const told = [...answer.headers]
      .filter(([name]) => !UNTOLD.has(name))
      .map(([name, value]) => `${name}: ${name.startsWith('ratelimit') ? value.replace(COUNTED, '…') : value}`)
      .sort()
      .join(' | ')
    const at = headerSets.indexOf(told)
    if (at >= 0) return `h${at + 1}`
    headerSets.push(told)
    return `h${headerSets.length} = ${told}`
  }

  /** The lines of a page. Three and more that were written before, one after the other, are told by their numbers. */
  const pageLines = (text: string): string[] => {
    const lines = text.replaceAll(/<style>[^]*?<\/style>/g, shortStyle).split('\n')
    const written: string[] = []
    for (let at = 0; at < lines.length;) {
      const from = places.get(lines[at]!) ?? pages.length
      let length = 0
      while (at + length < lines.length && from + length < pages.length && lines[at + length] === pages[from + length])
        length++
      if (length >= 3) {
        written.push(`  … lines ${from + 1} to ${from + length} again`)
        at += length
      } else {
        written.push(`  > ${lines[at]}`)
        places.set(lines[at]!, pages.push(lines[at]!) - 1)
        at++
      }
    }
    return written
  }

  const brief = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(brief)
    const row = value as Json
    const id = row.id ?? row.connection_id
    const whole = () => Object.fromEntries(Object.entries(row).map(([key, part]) => [key, brief(part)]))
    if (id === undefined || JSON.stringify(row).length < 160) return whole()
    const key = `${Object.keys(row).join()} ${String(id)}`
    const before = resources.get(key)
    resources.set(key, row)
    if (!before) return whole()
    const changed = Object.entries(row).filter(([name, part]) => !Bun.deepEquals(before[name], part))
    return { 'as before': id, ...Object.fromEntries(changed) }
  }

  return {
    lines(answer, text, show) {
      const head = `  ${answer.status} ${headersOf(answer, show)}`
      const type = answer.headers.get('content-type') ?? ''
      if (text === '') return [head]
      if (type.startsWith('image/')) return [head, `  > ${JSON.stringify(text)}`]
      if (!type.includes('json')) return [head, ...pageLines(text)]
      const said = JSON.parse(text)
      const isNamed = said.request_id !== undefined && said.request_id === answer.headers.get('x-request-id')
      const told = isNamed ? { ...said, request_id: 'as in the headers' } : said
      return [`${head} ${refusal(told) ?? dense(brief(told))}`]
    },
    dataLines(status, headers, body) {
      if (typeof body === 'string')
        return [`  ${status} ${headers.get('content-type')} ${headers.get('content-disposition')}`, body]
      const { request_id, ...rest } = body as Json
      const said: Json = request_id === headers.get('x-request-id') ? rest : (body as Json)
      const wait = headers.get('retry-after')
      const isOnlyData = 'data' in said && Object.keys(said).length === 1
      const told = refusal(said) ?? dense(brief(isOnlyData ? said.data : said))
      return [`  ${status} ${wait === null ? '' : `retry-after ${wait} `}${told}`]
    },
  }
}

const UNTOLD = new Set(['date', 'content-length', 'transfer-encoding', 'x-request-id'])

/** What is left in a window, and for how long. */
const COUNTED = /(?<=^|;r=|;t=)\d{1,6}$|(?<=;r=)\d{1,6}(?=;)/g

/** Of a page's style sheet the colors that it sets anew. The sheet has tests of its own. */
const shortStyle = (style: string) => `<style>… ${/:root\{.*\}/.exec(style)?.[0] ?? ''} …</style>`

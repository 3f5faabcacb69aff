import Papa from 'papaparse'
import { type Delimiter, DELIMITERS } from '../../store/tables/imports.ts'

/**
 * Reads the records of a CSV in pieces. It accepts any line end, a byte order mark and Excel's `sep=` line. The damage
 * of a wrong quote is bounded: a malformed record loses its first line only, and reading continues with the next line.
 *
 * A line end may end a record where an even number of quotes precedes it. The text up to such a line end goes to the
 * parser at once. Only when the parser reports an error does it get one record at a time, to find the malformed one.
 */
export interface CsvRecord {
  /** Counted from 1 with blank lines and the header, as spreadsheets do (docs/api/imports.md#row-errors). */
  number: number
  /** Blanks around a cell belong to it only inside quotes. */
  cells: string[]
  /** Why the line could not be read; `cells` is empty then. */
  flaw?: 'malformed' | 'too_long'
}

interface CsvReader {
  /** The records that are complete after this piece of text, without blank ones. */
  push(text: string): CsvRecord[]
  /** The remaining records at the end of the text. */
  end(): CsvRecord[]
}

/** A longer record counts as one whose quote is not closed. */
const MAX_RECORD = 1024 * 1024
const NEWLINE = 10
const QUOTE = 34
const BLANK = { data: [['']], errors: [] }

export function csvReader(delimiter: Delimiter): CsvReader {
  const parser = new Papa.Parser({ delimiter, newline: '\n' })
  /** The parser answers no record for an empty text. */
  const parse = (text: string) =>
    text === '\n'
      ? BLANK
      : (parser.parse(text.endsWith('\n') ? text.slice(0, -1) : text, 0, false) as Pick<
          Papa.ParseResult<string[]>,
          'data' | 'errors'
        >)
  let waiting = ''
  let begun = false
  /** Whether the rest of a line that was too long is still to be dropped. */
  let skipping = false
  let number = 0

  const take = (rows: readonly string[][], text: string, into: CsvRecord[]) => {
    trimUnquoted(rows, text, delimiter)
    for (const cells of rows) {
      number += 1
      if (cells.some((cell) => cell.trim() !== '')) into.push({ number, cells })
    }
  }
  const flawed = (flaw: NonNullable<CsvRecord['flaw']>): CsvRecord => ({ number: ++number, cells: [], flaw })

  /** Reads one record at a time; answers the text of an incomplete last record. */
  const readCarefully = (text: string, isLast: boolean, into: CsvRecord[]): string => {
    for (let at = 0; at < text.length;) {
      const end = endOfRecord(text, at, 'first')
      if (end === -1 && !isLast) return text.slice(at)
      const stop = end === -1 ? text.length : end
      const record = text.slice(at, stop)
      const parsed = record.length > MAX_RECORD ? null : parse(record)
      if (parsed && parsed.errors.length === 0) {
        take(parsed.data, record, into)
        at = stop
      } else {
        into.push(flawed(parsed ? 'malformed' : 'too_long'))
        at = endOfLine(text, at)
      }
    }
    return ''
  }

  const read = (isLast: boolean): CsvRecord[] => {
    const records: CsvRecord[] = []
    if (skipping) dropLine()
    for (;;) {
      for (let cut; (cut = isLast ? waiting.length : endOfRecord(waiting, 0, 'last')) > 0;) {
        const text = waiting.slice(0, cut)
        const parsed = parse(text)
        const isSound = parsed.errors.length === 0
        if (isSound) take(parsed.data, text, records)
        waiting = isSound ? waiting.slice(cut) : readCarefully(text, isLast, records) + waiting.slice(cut)
      }
      if (waiting.length <= MAX_RECORD) return records
      records.push(flawed('too_long'))
      dropLine()
    }
  }

  const dropLine = (): void => {
    const end = waiting.indexOf('\n')
    skipping = end === -1
    waiting = end === -1 ? '' : waiting.slice(end + 1)
  }

  const begin = (firstLineIsThere: boolean): void => {
    if (begun || !firstLineIsThere) return
    waiting = waiting.replace(/^\uFEFF/, '').replace(/^sep=.\n/i, '')
    begun = true
  }

  return {
    push(text) {
      waiting += text
      // A carriage return at the end may be the first half of a line end.
      const half = waiting.endsWith('\r')
      waiting = withPlainLineEnds(half ? waiting.slice(0, -1) : waiting)
      begin(waiting.includes('\n'))
      const records = read(false)
      if (half) waiting += '\r'
      return records
    },
    end() {
      waiting = withPlainLineEnds(waiting)
      begin(true)
      return read(true)
    },
  }
}

/** The delimiter that occurs most often in the first line outside quotes (docs/api/imports.md#options). */
export function guessDelimiter(text: string): Delimiter {
  const separator = /^\uFEFF?sep=([,;\t|])\r?\n/i.exec(text)
  if (separator) return separator[1] as Delimiter
  const [line = ''] = text.slice(0, MAX_RECORD).split(/[\r\n]/, 1)
  const bare = line.replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

/**
 * Trims the cells that stand in a text without quotes. The parser does not tell them, but the length of each cell says
 * where the next one begins.
 */
function trimUnquoted(rows: readonly string[][], text: string, delimiter: Delimiter): void {
  let at = 0
  for (const cells of rows)
    for (const [index, cell] of cells.entries()) {
      if (text.charCodeAt(at) === QUOTE) {
        at += 2 + cell.length
        for (let quote = -1; (quote = cell.indexOf('"', quote + 1)) !== -1;) at += 1
        // The parser accepts blanks after the closing quote.
        while (at < text.length && text[at] !== delimiter && text.charCodeAt(at) !== NEWLINE) at += 1
      } else {
        at += cell.length
        cells[index] = cell.trim()
      }
      at += 1
    }
}

function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

/** The end of the first or the last whole record after `from`; -1 when the text ends within the first. */
function endOfRecord(text: string, from: number, which: 'first' | 'last'): number {
  let outside = true
  let end = -1
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) outside = !outside
    else if (code === NEWLINE && outside) {
      end = at + 1
      if (which === 'first') return end
    }
  }
  return end
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end + 1
}

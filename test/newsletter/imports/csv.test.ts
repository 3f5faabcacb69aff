import { describe, expect, test } from 'bun:test'
import { type CsvRecord, csvReader, guessDelimiter } from '../../../src/newsletter/imports/csv.ts'
import type { Delimiter } from '../../../src/store/tables/imports.ts'
import { decodeText } from '../../../src/newsletter/imports/decode.ts'
import { isLinear } from '../../support/cpu-time.ts'

function records(text: string, delimiter: Delimiter = ',', piece = 64 * 1024): CsvRecord[] {
  const reader = csvReader(delimiter)
  const found: CsvRecord[] = []
  for (let at = 0; at < text.length; at += piece) found.push(...reader.push(text.slice(at, at + piece)))
  return [...found, ...reader.end()]
}
const cells = (text: string, delimiter?: Delimiter) =>
  records(text, delimiter).map((record) => record.flaw ?? record.cells)
const numbered = (text: string) => records(text).map(({ number, cells, flaw }) => [number, flaw ?? cells.join('|')])

test('Files of real programs may have quotes, escaped quotes, and line ends and delimiters in quotes.', () => {
  expect(cells('a,"b, c","d ""e""","f\ng"\nh,,"",')).toEqual([
    ['a', 'b, c', 'd "e"', 'f\ng'],
    ['h', '', '', ''],
  ])
})

test('Blanks around a cell are content only inside quotes.', () => {
  expect(cells('a , b\n" c "," ""d"", "\n"e" , f ," \n"\n\n g," h"')).toEqual([
    ['a', 'b'],
    [' c ', ' "d", '],
    ['e', 'f', ' \n'],
    ['g', ' h'],
  ])
  expect(cells('" a ";b ;" ;"', ';')).toEqual([[' a ', 'b', ' ;']])
})

test('Files of real programs may have any line end, with or without a last one.', () => {
  for (const end of ['\n', '\r\n', '\r'])
    expect(cells(['a,b', 'c,"d"', 'e,f'].join(end) + end)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ])
  expect(cells('a,b\r\nc,d\ne,f\rg,h')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', 'h'],
  ])
})

test("Files of real programs may have a byte order mark and Excel's sep= line, which are not content.", () => {
  expect(cells('\uFEFFemail,name\na,b')).toEqual([
    ['email', 'name'],
    ['a', 'b'],
  ])
  expect(numbered('\uFEFFsep=;\r\nemail\r\na')).toEqual([
    [1, 'email'],
    [2, 'a'],
  ])
  expect(cells('SEP=,\nemail,name\na,b')).toEqual([
    ['email', 'name'],
    ['a', 'b'],
  ])
})

test('Files of real programs may have blank lines, which are skipped but counted, as in a spreadsheet.', () => {
  expect(numbered('email\n\na@example.com\n , \n\nb@example.com\n')).toEqual([
    [1, 'email'],
    [3, 'a@example.com'],
    [6, 'b@example.com'],
  ])
})

test('Files of real programs give the same records wherever the text is cut into pieces.', () => {
  const text = '\uFEFFsep=,\r\nemail,name\r\n"a@example.com","A ""x""\r\ny"\r\n\r\n"open,line\r\nb@example.com,B\r\n'
  const whole = records(text)
  for (let piece = 1; piece < text.length; piece++) expect(records(text, ',', piece)).toEqual(whole)
  expect(whole.map(({ number, flaw }) => [number, flaw])).toEqual([
    [1, undefined],
    [2, undefined],
    [4, 'malformed'],
    [5, undefined],
  ])
})

test('A line end of a single carriage return ends a record also where a piece ends with it.', () => {
  const text = 'email,name\ra,"b\rc"\r\rd,e\r'
  const whole = [
    ['email', 'name'],
    ['a', 'b\nc'],
    ['d', 'e'],
  ]
  for (let piece = 1; piece < text.length; piece++)
    expect(records(text, ',', piece).map((record) => record.cells)).toEqual(whole)
})

test('A record of more than a mebibyte that has not ended is too long, and its line alone is lost.', () => {
  const begun = (length: number) => {
    const reader = csvReader(',')
    const first = reader.push(`a,b\n"${'x'.repeat(length - 1)}`)
    return [...first, ...reader.push('"\nc,d\n')].map(({ number, flaw }) => [number, flaw ?? 'read'])
  }
  expect(begun(1024 * 1024)).toEqual([
    [1, 'read'],
    [2, 'read'],
    [3, 'read'],
  ])
  expect(begun(1024 * 1024 + 1)).toEqual([
    [1, 'read'],
    [2, 'too_long'],
    [3, 'read'],
  ])
  const careful = (length: number) =>
    records(`"a"b,c\n${'x'.repeat(length - 1)}\nc,d\n`, ',', 2 * length).map(({ flaw }) => flaw ?? 'read')
  expect([careful(1024 * 1024), careful(1024 * 1024 + 1)]).toEqual([
    ['malformed', 'read', 'read'],
    ['malformed', 'too_long', 'read'],
  ])
})

test('A quote that is never closed invalidates only its own line.', () => {
  expect(numbered('a,b\n"c,d\ne,f\ng,h')).toEqual([
    [1, 'a|b'],
    [2, 'malformed'],
    [3, 'e|f'],
    [4, 'g|h'],
  ])
})
test('A quote that another quote follows invalidates only its own line.', () => {
  expect(numbered('a,b\n"c,d\ne,f\n"g",h\ni,j')).toEqual([
    [1, 'a|b'],
    [2, 'malformed'],
    [3, 'e|f'],
    [4, 'g|h'],
    [5, 'i|j'],
  ])
})
test('A quote that text follows invalidates only its own line.', () => {
  expect(numbered('"a"x,b\nc,d')).toEqual([
    [1, 'malformed'],
    [2, 'c|d'],
  ])
  expect(numbered('c,d\n"a"x,b')).toEqual([
    [1, 'c|d'],
    [2, 'malformed'],
  ])
})
test('A quote within an unquoted cell is a character.', () => {
  expect(cells('a,5\' 10"\nb,"c"')).toEqual([
    ['a', '5\' 10"'],
    ['b', 'c'],
  ])
})

describe('files made to break it are read in linear time', () => {
  const MEGABYTE = 1024 * 1024
  const fill = (text: string) => text.repeat(Math.ceil((1.25 * MEGABYTE) / text.length))
  const files: [string, string][] = [
    ['a quote before every line', fill('"abc,x\n')],
    ['malformed quotes', fill('"a"a')],
    ['escaped quotes that never end', `"x\n${fill('""y\n')}`],
    ['quotes and blanks', fill('" " ')],
    ['one huge cell', `e,"${fill('hello ')}"\na,b\n`],
    ['delimiters', fill(',')],
    ['line ends', fill('\n')],
    ['NUL', fill('\u0000,\u0000\n')],
  ]
  // Both texts are longer than a record may be.
  test.each(files)('A file made to break it is read in linear time: %s.', (_, small) => {
    const large = small + small
    expect(isLinear({ small: () => records(small), large: () => records(large) }, 2, 1.6)).toBe(true)
  })
  test('The lines after a malformed one are read.', () => {
    expect(records(`e,"${fill('hello ')}"\na,b\n`).at(-1)).toEqual({ number: 2, cells: ['a', 'b'] })
    expect(records(`email\n"${fill('never closed\n')}`)).toHaveLength(
      1 + Math.ceil((1.25 * MEGABYTE) / 'never closed\n'.length),
    )
    expect(records(`${fill('"abc,x\n')}a@example.com,y`).at(-1)!.cells).toEqual(['a@example.com', 'y'])
  })
})

test('The delimiter is the one that occurs most often in the first line outside quotes.', () => {
  const guesses: [string, Delimiter][] = [
    ['email,name', ','],
    ['email;name\na,b,c', ';'],
    ['email\tname', '\t'],
    ['email|name', '|'],
    ['email', ','],
    ['', ','],
    ['"last, first";email', ';'],
    ['a;b,c;d', ';'],
    ['sep=|\na,b', '|'],
    ['\uFEFFa;b', ';'],
    ['a,b\r\nc;d;e', ','],
  ]
  for (const [text, delimiter] of guesses) expect([text, guessDelimiter(text)]).toEqual([text, delimiter])
})

describe('bytes', () => {
  const decode = async (chunks: Uint8Array[]) => {
    let text = ''
    for await (const piece of decodeText(
      (async function* () {
        yield* chunks
      })(),
    ))
      text += piece
    return text
  }
  const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding))
  const western = (text: string) => Uint8Array.from(text, (character) => character.codePointAt(0)!)
  const one = (all: Uint8Array, size: number) =>
    Array.from({ length: Math.ceil(all.byteLength / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

  test('UTF-8, Windows-1252 and a mix of both are decoded line by line.', async () => {
    const mixed = Buffer.concat([bytes('Jörg;Łódź\n'), western('J\u00F6rg;Z\u00FCrich\n'), bytes('Zoë')])
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await decode(one(bytes('Jörg;Łódź\nZoë'), size))).toBe('Jörg;Łódź\nZoë')
      expect(await decode(one(mixed, size))).toBe('Jörg;Łódź\nJörg;Zürich\nZoë')
    }
    expect(await decode([Uint8Array.of(0x80, 0x0a)])).toBe('€\n')
  })

  test('UTF-16 with a byte order mark is decoded in both byte orders.', async () => {
    const little = bytes('\uFEFFemail\nJörg', 'utf16le')
    const big = little.slice().map((_, index) => little[index ^ 1]!)
    for (const size of [1, 3, 1000])
      for (const file of [little, big])
        expect((await decode(one(file, size))).replace('\uFEFF', '')).toBe('email\nJörg')
  })

  test('An empty file decodes to an empty text.', async () => {
    expect(await decode([])).toBe('')
    expect(await decode([new Uint8Array(0)])).toBe('')
  })
})

import { test } from 'bun:test'
import { guessDelimiter } from '../../../src/newsletter/imports/csv.ts'
import { readStatus, saysYes } from '../../../src/newsletter/imports/row-status.ts'
import {
  guessDateFormat,
  readAddress,
  readDay,
  readInstant,
  readNames,
  readNumber,
  splitName,
  withoutApostrophe,
} from '../../../src/newsletter/imports/values.ts'
import { expectRecorded } from '../../support/recorded.ts'

const FORMATS = ['iso', 'dmy', 'mdy'] as const
const NUMBERS =
  '1|+1|-1.5|.5|5.|1e3|1E-2|1,5|1,234|12,345,678|1.234|1.234.567|1.234,5|1,234.5|1 234,5|1 2345|1’234|€ 5|5 €|USD 7|' +
  '7 USD|-€3|US 3|1,2,3|,5|-,5|five||0x10|1.2.3'
const DAYS =
  '2026-03-01|2026/3/1|2026.03.01 10:00|01.03.2026|1. 3. 2026|13/01/2026|01/13/2026|31.02.2026|29-02-2024|3/4/26|' +
  '2026-13-01|x2026-01-01|2026-01-01x|'
const TIMES =
  'T10:00|T1:02:03.4567Z| 10:00 pm| 12:30 AM| 12:30pm|, 9:05|T10:00+02:00|T10:00-0330|T10:00+05| 10:00 UTC| 24:00|' +
  ' 10:60| 10| 10:00 CET'
const NAMES = 'Ada Lovelace|Lovelace, Ada|Ada|Ada King Lovelace|,Ada|Ada\tLovelace|  Ada  |'
const ADDRESSES =
  'a@b.example|Ada <a@b.example>|"Ada, L" <a@b.example>|<a@b.example>|mailto:a%40b.example?x|MAILTO:a@b.example|' +
  'A <b> <c>|a@b.example>|mailto:%zz'
const LISTS = 'a,b;c|"a, b",c|"a ""b""",a| a , |;;|"open'
const WORDS =
  'Subscribed|active|enabled|confirmed|true|yes|y|1|pending|un-confirmed|unsubscribed|blocklisted|' +
  'black listed|disabled|inactive|Non_Subscribed|' +
  'transactional|archived|deleted|false|no|n|0|2|bounced|cleaned|unreachable|hard bounce|' +
  'hardbounced|3|complained|complaint|spam|Spam Complaint|abuse|4|5||other|off|never|null|non|nein|nee|não|' +
  'sms_marketing|sms, whatsapp|email, sms|2020-01-01'

/** The line of each value, and what it is read as. */
const table = (title: string, values: string, ...readers: ((value: string) => unknown)[]) => [
  `## ${title}`,
  '',
  ...values
    .split('|')
    .map(
      (value) => `${JSON.stringify(value)}: ${readers.map((read) => JSON.stringify(read(value)) ?? '-').join('  ')}`,
    ),
  '',
]
const instant = (value: string) => {
  const at = readInstant(value, 'dmy')
  return at === undefined ? undefined : new Date(at).toISOString()
}

test('What cells of files are read as is what is recorded.', () => {
  const lines = [
    ...table(
      'Numbers, without and with decimal commas',
      NUMBERS,
      ...[false, true].map((has) => (cell: string) => readNumber(cell, has)),
    ),
    ...table('Days, by each format', DAYS, ...FORMATS.map((format) => (cell: string) => readDay(cell, format))),
    ...table(
      'Times',
      TIMES,
      (time) => instant(`2026-03-01${time}`),
      (time) => instant(`01.03.2026${time}`),
    ),
    ...table('Names', NAMES, splitName),
    ...table('Addresses', ADDRESSES, readAddress),
    ...table('Lists', LISTS, readNames),
    ...table('Words: statuses, and whether they say yes', WORDS, readStatus, saysYes),
    ...table('Formulas', "'=a|'+a|'-a|'@a|'a|=a|''=a|'", withoutApostrophe),
    ...table(
      'Formats of days',
      '1.2.2026 3.4.2026,13.1.2026,1/13/2026,2026-01-01,2026-01-01 1.2.2026,1/2/2026 9:00 PM,x',
      (cells) => cells.split(',').map((some) => guessDateFormat(some.split(/ (?=\d+[./-])/))),
    ),
    ...table('Delimiters', 'a,b;c;d~a;b~a\tb~"a;b;c",d~a~sep=;\na,b~\uFEFFsep=\t\r\na~sep=:\na:b~a\nb;c;d', (text) =>
      text.split('~').map((one) => [one, guessDelimiter(one)]),
    ),
    ...table('Bars', 'a', () => [guessDelimiter('a|b'), guessDelimiter('a|b,c,d'), guessDelimiter('a|b|c,d')]),
  ]
  expectRecorded('tools/cells.txt', lines.join('\n'))
})

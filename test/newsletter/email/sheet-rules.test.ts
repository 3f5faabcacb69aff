import { expect, test } from 'bun:test'
import { overlap, propertiesOf, readRules } from '../../../src/newsletter/email/sheet-rules.ts'

/** The rules of a document as `selector count: css`, and what is said about the others. */
function read(html: string) {
  const noted: string[] = []
  const rules = readRules(html, (kind, text) => void noted.push(`${kind} ${text}`))
  return { rules, noted }
}

const sheet = (length: number): string => `<style>p{color:red}${' '.repeat(length - 'p{color:red}'.length)}</style>`

test('Style sheets of together 100,000 characters are read, and longer ones not at all.', () => {
  expect(read(sheet(60_000) + sheet(40_000)).rules).toHaveLength(2)
  expect(read(sheet(60_000) + sheet(40_001))).toEqual({
    rules: [],
    noted: ['selector all, because they have more than 100000 characters'],
  })
})

test('A sheet is left out when the sheets of a block have more than 200 syntax errors by then.', () => {
  const faulty = (errors: number) => `<style>p{color:red;${'b;'.repeat(errors)}}</style>`
  expect(read(faulty(150) + faulty(50))).toMatchObject({ rules: [{ order: 0 }, { order: 1 }], noted: [] })
  const { rules, noted } = read(faulty(150) + faulty(51) + sheet(100))
  expect(rules).toHaveLength(2)
  expect(noted).toEqual(['selector all of a sheet with over 200 syntax errors'])
})

test('A block has 200 plain rules, and 200 with a media query besides.', () => {
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `.${prefix}${at}`).join(',')
  const { rules, noted } = read(
    `<style>${names('a', 201)}{color:red}@media (max-width:9px){${names('b', 201)}{color:red}}</style>`,
  )
  expect(rules.filter(({ media }) => media.length === 0)).toHaveLength(200)
  expect(rules.filter(({ media }) => media.length > 0)).toHaveLength(200)
  expect(noted).toEqual(['selector .a200', 'selector .b200'])
})

test('A rule has declarations of at most 500 characters.', () => {
  const padding = (length: number) => `<style>p{font-family:${'a'.repeat(length - 'font-family:'.length)}}</style>`
  expect(read(padding(500))).toMatchObject({ rules: [{ order: 0 }], noted: [] })
  expect(read(padding(501))).toEqual({ rules: [], noted: ['selector p'] })
})

test('At-rules are known in any case.', () => {
  expect(read('<style>@MEDIA (max-width:9px){p{color:red}}@Import "x";</style>')).toMatchObject({
    rules: [{ media: [{ query: 'only screen and (max-width:9px)' }] }],
    noted: ['at_rule @Import "x"'],
  })
})

test('Rules stand in the order of their specificity, and otherwise as they are written.', () => {
  const { rules } = read('<style>#a{color:red}p{color:green}.b{color:blue}i{color:#123}</style>')
  expect(rules.map(({ css, order }) => [css, order])).toEqual([
    ['color:green', 0],
    ['color:#123', 1],
    ['color:blue', 2],
    ['color:red', 3],
  ])
})

test('A rule with a media query has a part for what is important and one for the rest, each with a name.', () => {
  const [plain, both] = read(
    '<style>@media (max-width:9px){p{color:red}.a{margin-top:1px;color:blue!important}}</style>',
  ).rules
  expect(plain!.media).toMatchObject([{ name: '0', isImportant: false, order: 0 }])
  expect(both!.media).toMatchObject([
    { name: '1', isImportant: false, order: 1 },
    { name: '1i', isImportant: true, order: 1 },
  ])
  expect([both!.css, both!.media.map(({ properties }) => [...properties.own])]).toEqual([
    '',
    [['margin-top'], ['color']],
  ])
})

test('A font size that is relative stays in a plain rule, and goes from one with a media query.', () => {
  expect(read('<style>p{font-size:2em;color:red}</style>').rules).toMatchObject([{ css: 'font-size:2em;color:red' }])
  const [rule] = read('<style>@media (max-width:9px){p{font-size:2em;color:red}}</style>').rules
  expect([rule!.removed, rule!.media[0]!.declarations.map(({ property }) => property)]).toEqual([
    ['font-size:2em'],
    ['color'],
  ])
})

test('Queries in queries, at-rules of other kinds and sheets for other media are named and left out.', () => {
  const { rules, noted } = read(
    '<style>@import "x.css";@media (max-width:9px){@media (min-width:1px){p{color:red}}i{color:red}}' +
      '@font-face{color:red}</style><style media="print">b{color:red}</style>' +
      '<style media="(max-width:8px)">@media (min-width:1px){p{color:red}}@media screen{u{color:red}}</style>',
  )
  expect(noted).toEqual([
    expect.stringContaining('at_rule @import'),
    'at_rule @media (min-width:1px)',
    'at_rule @font-face',
    'at_rule @media print',
    'at_rule @media (min-width:1px)',
  ])
  expect(rules.map(({ media }) => media[0]!.query)).toEqual([
    'only screen and (max-width:9px)',
    'only screen and (max-width:8px)',
  ])
})

test('A property sets what its shorthand sets, but not what another one of the shorthand sets.', () => {
  const set = (...names: string[]) => propertiesOf(names)
  expect([...set('border-top-color').withShorthands]).toEqual(['border-top-color', 'border-top', 'border'])
  expect(overlap(set('border-top-color'), set('border'))).toBe(true)
  expect(overlap(set('border'), set('border-top-color'))).toBe(true)
  expect(overlap(set('border-top'), set('border-left'))).toBe(false)
})

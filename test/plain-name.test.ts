import { expect, test } from 'bun:test'
import { nameProblem, personNameProblem } from '../src/plain-name.ts'

test('Names that people give are taken, in any script.', () => {
  for (const name of [
    "St. John's Harbour",
    'Node.js tools',
    'Ver. 2.0',
    'Küstenpost 24',
    'Новости порта',
    'Ειδήσεις',
    '東京ニュース Today',
    'ラーメンbar',
    '한국 news',
    'अख़बार',
    'می\u200cخواهم',
    '👩\u200d🌾 Farm ❤\uFE0F',
    'Tides & Weather (North)',
    'Mast Head Inn',
    'ᏣᎳᎩ',
  ])
    expect([name, nameProblem(name)]).toEqual([name, null])
})

test('Invisible characters, mixed scripts, the name of the product and addresses are refused with a reason.', () => {
  for (const [name, reason] of [
    ['Tides\u200b', 'invisible'],
    ['Ti\u00addes', 'invisible'],
    ['a\u202eb', 'invisible'],
    ['Tides\u0007', 'invisible'],
    ['pa\u200dge', 'invisible'],
    ['\u3164', 'invisible'],
    ['Pаypal', 'script'],
    ['Gοοgle', 'script'],
    ['Ꮲaypal', 'script'],
    ['Masthead', 'service'],
    ['MÁSTHEAD support', 'service'],
    ['ｍａｓｔｈｅａｄ', 'service'],
    ['M4sth3ad', 'service'],
    ['Маѕтһеаԁ', 'service'],
    ['ᴍᴀꜱᴛʜᴇᴀᴅ', 'service'],
    ['ᎷᎪᏚᎢᎻᎬᎪᎠ', 'service'],
    ['🅼🅐sthe🇦d', 'service'],
    ['Rnasthe\u0251d', 'service'],
    ['MastheadTeam', 'service'],
    [`MÁSTHEAD!${'\u0300'.repeat(31)}`, 'service'],
    ['Your account is locked, open https://evil.example', 'address'],
    ['Sign in at evil.com', 'address'],
    ['ｅｖｉｌ．ｃｏｍ', 'address'],
    [`ｅｖｉｌ．ｃｏｍ o${'\u0300'.repeat(31)}`, 'address'],
    ['see www.evil', 'address'],
    ['write to help@evil', 'address'],
    ['go to 192.0.2.1', 'address'],
    ['bücher.de', 'address'],
  ] as const)
    expect([name, nameProblem(name)]).toEqual([name, expect.stringContaining(reason)])
  expect(personNameProblem('Masthead')).toBeNull()
  expect(personNameProblem('evil.com')).toContain('address')
})

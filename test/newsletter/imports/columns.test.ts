import { expect, test } from 'bun:test'
import { clip, customFields, requireHead } from '../../../src/newsletter/imports/columns.ts'
import { custom_fields } from '../../../src/store/tables/audience.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const suggestions = (csv: string, custom: { key: string; label: string }[] = []) =>
  requireHead([csv], ',', custom, '/csv').columns.map(({ suggested_field }) => suggested_field)

test('Only custom fields of the project are suggested.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const add = (project_id: typeof project, key: string) =>
    write((tx) =>
      tx.insert(custom_fields).values({
        ...{ project_id, key, label: `The ${key}`, type: 'text', created_at: NOW, updated_at: NOW },
      }),
    )
  await add(project, 'town')
  await add(other, 'street')
  expect(await customFields((await sharedStore()).db, project)).toEqual([{ key: 'town', label: 'The town' }])
})

test('A header suggests a standard field before a custom one, and each field once.', () => {
  const custom = [
    { key: 'letters', label: 'Mail' },
    { key: 'town', label: 'Home Town' },
  ]
  expect(suggestions('Mail,letters,home-town,E-Mail,Vorname\nada@example.com,x,y,z,Ada\n', custom)).toEqual([
    'email',
    'custom.letters',
    'custom.town',
    null,
    'first_name',
  ])
})

test.each([
  ['email', 'Email, E-Mail Address, mail, Mail address, E-Mail-Adresse, Adresse e-mail, Correo, Correo electrónico'],
  ['email', 'Subscriber, EMAIL_ADDRESS'],
  ['first_name', 'First name, first, FNAME, Given name, Forename, Vorname, Prénom, Nombre'],
  ['last_name', 'Last name, last, LNAME, Surname, Family name, Nachname, Nom, Apellido, Apellidos'],
  ['full_name', 'Name, Full name, Display name'],
  ['tags', 'Tags, Labels'],
  ['status', 'Status, Global status, Subscription status, Email status, Subscribed to emails'],
  ['opted_out', 'Unsubscribed, UNSUB_TIME, unsubscribed_at, email_disabled, Opted out, Blocklisted, Blacklisted'],
  ['bounced', 'CLEAN_TIME, Bounced'],
  ['complained', 'Complained'],
  ['consent_at', 'consent_at, CONFIRM_TIME, OPTIN_TIME'],
  ['consent_text', 'consent_text'],
  ['consent_ip', 'consent_ip, CONFIRM_IP, OPTIN_IP'],
  ['consent_source', 'consent_source'],
])('The field %s is suggested for the headers %s.', (field, headers) => {
  for (const header of headers.split(', '))
    expect([header, ...suggestions(`id,${header}\n1,x\n`)]).toEqual([header, null, field])
})

test('Without a header the column with addresses is suggested.', () => {
  expect(suggestions('Ada,ada@example.com\nBo,bo@example.com\n')).toEqual([null, 'email'])
})

test('A clipped text has the given length and no half of a character.', () => {
  expect([clip('abcd', 4), clip('abcde', 4), clip('ab😀😀', 4)]).toEqual(['abcd', 'abc…', 'ab\uFFFD…'])
})

const read = (texts: Iterable<string>) => requireHead(texts, ',', [], '/csv')
/** Texts, and how many of them were taken. */
function counted(text: string, most = 100) {
  const taken = { count: 0 }
  function* texts() {
    for (; taken.count < most; taken.count += 1) yield text
  }
  return { taken, texts: texts() }
}
const flaw = (message: string) => [{ path: '/csv', message: expect.stringContaining(message) }]
const refused = (texts: Iterable<string>) => {
  try {
    return read(texts).columns
  } catch (error) {
    return (error as { details: unknown }).details
  }
}

test('A file without rows, a workbook and an archive are refused, each by its name.', () => {
  expect(refused([])).toEqual(flaw('no rows'))
  expect(refused(['\n , \n'])).toEqual(flaw('no rows'))
  for (const [start, what] of [
    ['PK\u0003\u0004', '.xlsx'],
    ['\u00D0\u00CF\u0011\u00E0', '.xls'],
    ['\u001F\u2039', 'gzip'],
  ] as const) {
    expect(refused([`${start}x\n`])).toEqual(flaw(what))
    expect(refused(['', `${start}x\n`])).toEqual(flaw(what))
    expect(refused(['email\n', `${start}x\n`])).toHaveLength(1)
  }
})

test('A file has as many columns as its header, or as its widest first rows, and at most a thousand.', () => {
  const row = (cells: number) => `a@example.com${',x'.repeat(cells - 1)}\n`
  expect(read(['email,name\nada@example.com,Ada,surplus\n']).columns).toHaveLength(2)
  expect(read([`${row(1)}${row(3)}`]).columns).toHaveLength(3)
  expect(read([row(1).repeat(10) + row(4)]).columns).toHaveLength(4)
  expect(read([row(1).repeat(11) + row(4)]).columns).toHaveLength(1)
  expect(read([row(1000)]).columns).toHaveLength(1000)
  expect(refused([row(1001)])).toEqual(flaw('1001 columns'))
})

test('Samples are the first three values of a column in the first ten rows, shortened.', () => {
  const rows = ['', ' a ', '', 'b', '', '', '', '', 'x'.repeat(101), 'd', 'e']
  const csv = (values: readonly string[]) =>
    `${'H'.repeat(201)},other\n${values.map((value) => `${value},1\n`).join('')}`
  const samples = (values: readonly string[]) => read([csv(values)]).columns[0]!.samples
  expect(samples(rows)).toEqual(['a', 'b', `${'x'.repeat(99)}…`])
  expect(samples([...rows.slice(0, 8), '', '', 'late'])).toEqual(['a', 'b'])
  expect(samples(['1', '2', '3', ...rows, '01067'])).toEqual(['1', '2', '01067'])
  expect(read([csv(rows)]).columns[0]!.header).toBe(`${'H'.repeat(199)}…`)
  expect(read(['a@example.com, x \n']).columns).toEqual([
    { index: 0, header: '', samples: ['a@example.com'], suggested_field: 'email' },
    { index: 1, header: '', samples: ['x'], suggested_field: null },
  ])
})

test('The search for the first records ends after 201 of them, 1000 malformed lines or two mebibytes.', () => {
  const head = counted('email\na\nb\n', 500)
  expect([read(head.texts).rows.length, head.taken.count]).toEqual([200, 66])
  const damaged = counted('"a"b\n'.repeat(100))
  expect([refused(damaged.texts), damaged.taken.count]).toEqual([flaw('no rows'), 10])
  const blank = counted('\n'.repeat(64 * 1024))
  expect([refused(blank.texts), blank.taken.count]).toEqual([flaw('no rows'), 32])
})

test('Without an address in the first record it is a header, and blanks around an address do not matter.', () => {
  expect(read(['name,mail\n']).has_header).toBe(true)
  expect(read(['Ada, ada@example.com \n']).has_header).toBe(false)
  expect(suggestions('Ada,ada@example.com\nBo,not known\n')).toEqual([null, 'email'])
})

test('A custom field is suggested for its label, its key and its name in exports, and once.', () => {
  const custom = [{ key: 'shoe_size', label: 'Größe' }]
  for (const header of ['GRÖSSE', 'größe', 'Shoe size', 'custom.shoe_size'])
    expect([header, suggestions(`${header},email\n`, custom)]).toEqual([
      ...[header, [header === 'GRÖSSE' ? null : 'custom.shoe_size', 'email']],
    ])
  expect(suggestions('größe,shoe_size\n', custom)).toEqual(['custom.shoe_size', null])
})

test('A custom field comes before a weak meaning of its name, and after a strong one.', () => {
  const custom = (key: string) => [{ key, label: key }]
  for (const key of ['name', 'tags', 'status', 'bounced'])
    expect(suggestions(`${key}\n`, custom(key))[0]).toStartWith('custom.')
  for (const key of ['mail', 'nom']) expect(suggestions(`${key}\n`, custom(key))[0]).not.toStartWith('custom.')
})

import { sql } from 'drizzle-orm'
import { beforeAll, test } from 'bun:test'
import { DAY_MS } from '../../../src/clock.ts'
import { createSiteWorld, type SiteWorld } from '../../http/site-world.ts'
import { expectRecorded, outline } from '../../support/recorded.ts'
import { type PeopleTour, tourOfPeople } from '../people-tour.ts'

let world: SiteWorld
let tour: PeopleTour
beforeAll(async () => {
  world = await createSiteWorld()
  tour = tourOfPeople(world)
})

const [NEWS, CLUB, OLD, THEIRS] = [1, 2, 3, 4]
const [FAIR, PORT] = [1, 2]
const ALL = { 0: 'email', 1: 'full_name', 2: 'status', 3: 'tags', 4: 'lists', 5: 'custom.age', 6: 'custom.since' }

const FILE = [
  'mail;name;state;tags;lists;age;since;asked;text;ip;source;out;bounce;spam',
  'ada@example.org;Ada Lovelace;;Fair;News;36;10.12.2015;10.12.2015 13:45;I agree.;192.0.2.7;Fair;;;',
  'bob@example.org;Byrd, Bob;pending;"port, new";Club;1.234,5;2016-01-02;2016-01-02T03:04:05+02:00;;;;no;;',
  'cleo@example.org;Cleo;subscribed;;;;;;;;;yes;;',
  'dan@example.org;;;;;;;;;;;;2020-01-01;',
  'eve@example.org;;active;;;;;;;;;;;1',
  'fay@example.org;;unconfirmed;;Nowhere;;;;;;;;;',
  'gus@example.org;;;;;many;;;;;;;;',
  'hal@example.org;;;;;;31.02.2016;;;;;;;',
  'ida@example.org;;;;;;;31.12.2099;;;;;;',
  'known@example.org;Known Now;;;News;;;;;;;;;',
  'left@example.org;Left Now;;;News;;;;;;;;;',
  'ADA@example.org;Again;;;;;;;;;;;;',
  'nobody;;;;;;;;;;;;;',
  ';No Body;;;;;;;;;;;;',
  'out@;;unsubscribed;;;;;;;;;;;',
  'jan@example.org;;odd;;;;;;;;;;;',
  'kim@example.org;;unsubscribed;;;many;;;;;;;;',
].join('\n')
const WHOLE = {
  ...{ ...ALL, 7: 'consent_at', 8: 'consent_text', 9: 'consent_ip', 10: 'consent_source' },
  ...{ 11: 'opted_out', 12: 'bounced', 13: 'complained' },
}

test('Answers and rows of imports are those that are recorded.', async () => {
  await prepare()
  await stages()
  expectRecorded('tools/imports.txt', tour.text())
  await commits()
  expectRecorded('tools/imports-commit.txt', tour.text())
  await endings()
  await uploads()
  expectRecorded('tools/imports-ending.txt', tour.text())
})

async function prepare(): Promise<void> {
  await world.ok('lists/create', { name: 'News' })
  await world.ok('lists/create', { name: 'Club', double_opt_in: true })
  await world.ok('lists/create', { name: 'Old' })
  await world.ok('lists/update', { list_id: OLD, archived: true })
  for (const name of ['Fair', 'Port']) await world.ok('tags/create', { name })
  for (const [key, type, more] of [
    ['town', 'text', {}],
    ['age', 'number', {}],
    ['vip', 'boolean', {}],
    ['since', 'date', {}],
    ['plan', 'select', { options: ['Free', 'Pro'] }],
  ] as const)
    await world.ok('custom-fields/create', { key, label: `The ${key}`, type, ...more })
  const as = { as: world.keys.other }
  await world.ok('lists/create', { name: 'Theirs' }, as)
  for (const email of ['known@example.org', 'left@example.org'])
    await world.ok('contacts/upsert', { email, consent_text: 'News, please.', list_ids: [NEWS] })
  await world.ok('suppressions/add', { email: 'left@example.org' })
  await tour.skip()
}

let known = new Set<string>()

/** Writes the rows of imports that changed since the last time, without what their answers have already. */
async function importRows(): Promise<void> {
  const { db } = world.service.runtime.store
  const lines = new Set<string>()
  const told = (line: string) => {
    lines.add(line)
    if (!known.has(line)) tour.write(line)
  }
  const cells = (row: object) =>
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => `${key} ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`)
      .join(', ')
  for (const row of await db.all<object>(sql`
    SELECT id, status, size_bytes, upload_total, fields, processed, created, updated, skipped, failed, error, job_id,
      strftime('%d. %H:%M:%S', updated_at / 1000, 'unixepoch') AS changed_at,
      strftime('%d. %H:%M:%S', finished_at / 1000, 'unixepoch') AS finished_at
    FROM imports ORDER BY id`))
    told(`import: ${cells(row)}`)
  for (const row of await db.all<object>(sql`SELECT * FROM import_pages ORDER BY import_id, last_row`))
    told(`page: ${cells(row)}`)
  for (const row of await db.all<object>(sql`
    SELECT import_id, number, length(bytes) AS length FROM import_texts ORDER BY import_id, number`))
    told(`text: ${cells(row)}`)
  for (const line of known) if (!lines.has(line)) tour.write(`- ${line.slice(0, 40)}…`)
  known = lines
}

const stage = (sentence: string, csv: string, more: object = {}) =>
  tour.call(sentence, 'imports/create', { csv, ...more })
const dryRun = (sentence: string, import_id: number, mapping: object, options: object = {}, more: object = {}) =>
  tour.call(sentence, 'imports/dry-run', { import_id, mapping, options }, more)

async function stages(): Promise<void> {
  tour.heading('Files')
  await stage('A file with everything.', FILE, { filename: 'people.csv' })
  await stage(
    'Headers of other programs.',
    '\uFEFFE-Mail,Vorname,Nachname,The age,Labels,UNSUB_TIME,x\na@b.example,,,,,,\n',
  )
  await stage('No header.', 'Ada,ada@example.org\nBob,bob@example.org\nCleo,\nDan,dan@example.org')
  await stage('Bars.', 'sep=|\r\nemail|tags\r\na@b.example|x')
  await stage('Tabs.', 'email\tstatus\tstatus\n"a\tb"\tx\ty')
  await stage('Nothing but blanks.', ' \n ')
  await stage('Nothing.', '')
  await stage('A header alone.', 'email')
  await stage('A workbook.', 'PK\u0003\u0004')
  await stage('Many columns.', `email${','.repeat(1000)}\n`)
  await stage('A name with a line end.', 'email', { filename: 'a\nb' })
  await tour.call('A member may not.', 'imports/create', { csv: 'email' }, { as: 'member' })
  await tour.call('A member may read.', 'imports/list', { limit: 1 }, { as: 'member' })

  await tour.call('One of a neighbor.', 'imports/create', { csv: 'email\nthey@example.org' }, { as: 'other' })

  tour.heading('Dry-runs')
  await dryRun('Everything.', 1, WHOLE, { consent_confirmed: true, delimiter: ';' })
  await importRows()
  await dryRun('Values are dropped, days are read day first, tags are made.', 1, WHOLE, {
    ...{ consent_confirmed: true, on_invalid_value: 'drop_value', date_format: 'dmy', create_tags: true },
    ...{ list_ids: [CLUB, CLUB], tag_ids: [PORT], update_existing: true, consent_text: 'We were told.' },
    ...{ default_status: 'subscribed', delimiter: ';', on_invalid: 'skip', send_confirmation: false },
  })
  await importRows()
  const refused: [string, object, object?][] = [
    ['No column of addresses.', { 1: 'full_name' }],
    ['No columns.', {}],
    ['A column that is not there, an unknown field, and one twice.', { 0: 'email', 14: 'tags', 1: 'x', 2: 'email' }],
    ['A custom field that is not there.', { 0: 'email', 1: 'custom.none' }],
    ['A number that is none.', { '00': 'email' }],
    ['Lists without a consent.', { 0: 'email' }, { list_ids: [NEWS] }],
    ['A column of lists without a consent.', { 0: 'email', 4: 'lists' }],
    ['A list of a neighbor.', { 0: 'email' }, { list_ids: [NEWS, THEIRS], consent_confirmed: true }],
    ['An archived list.', { 0: 'email' }, { list_ids: [OLD], consent_confirmed: true }],
    ['A tag that is not there.', { 0: 'email' }, { tag_ids: [FAIR, 9] }],
    ['A wrong option.', { 0: 'email' }, { date_format: 'ymd', delimiter: ':', more: 1 }],
    ['A long consent.', { 0: 'email' }, { consent_text: 'x'.repeat(4001) }],
  ]
  for (const [sentence, mapping, options] of refused) await dryRun(sentence, 2, mapping, options)
  await dryRun('No import.', 99, { 0: 'email' })
  await dryRun('Of a neighbor.', 1, { 0: 'email' }, {}, { as: 'other' })
  await dryRun('A member may not.', 2, { 0: 'email' }, {}, { as: 'member' })
  await dryRun('Another delimiter than was found.', 3, { 0: 'email' }, { delimiter: ';' })
  await dryRun(
    'Rows that are invalid stop it.',
    3,
    { 0: 'first_name', 1: 'email' },
    { on_invalid: 'abort', delimiter: ',' },
  )
  await dryRun('The status of all rows.', 4, { 0: 'email' }, { default_status: 'bounced' })
  await tour.changes()
}

const commit = (sentence: string, body: object) => tour.call(sentence, 'imports/commit', { ...body })

async function commits(): Promise<void> {
  tour.heading('Commits')
  await commit('No dry-run.', { import_id: 5 })
  await commit('Rows are invalid.', { import_id: 3 })
  await commit('Another mapping.', { import_id: 1, mapping: { 0: 'email' } })
  await commit('Other options.', { import_id: 1, options: { consent_confirmed: true, tag_ids: [FAIR] } })
  await commit('No import.', { import_id: 99 })
  await commit('The mapping and the options of the dry-run.', {
    import_id: 1,
    mapping: WHOLE,
    options: {
      ...{ consent_confirmed: true, on_invalid_value: 'drop_value', date_format: 'dmy', create_tags: true },
      ...{ list_ids: [CLUB], tag_ids: [PORT], update_existing: true, consent_text: 'We were told.' },
    },
  })
  await commit('Again.', { import_id: 1 })
  await commit('A file of bounces.', { import_id: 4 })
  await dryRun('It is too late.', 1, { 0: 'email' })
  await tour.changes()
  await importRows()
  await world.service.drain('jobs')
  await tour.call('It is complete.', 'imports/get', { import_id: 1 })
  await tour.changes()
  await importRows()
  for (const order of [undefined, 'oldest', 'newest'])
    await tour.pages('A list in pages.', 'imports/list', { limit: 2, ...(order && { order }) }, ({ id, status }) => [
      id,
      status,
    ])
  await tour.call('No import.', 'imports/get', { import_id: 99 })
  await tour.call('One of a neighbor.', 'imports/get', { import_id: 1 }, { as: 'other' })
}

async function endings(): Promise<void> {
  const { store } = world.service.runtime
  tour.heading('Cancellations')
  const cancel = (sentence: string, import_id: number) => tour.call(sentence, 'imports/cancel', { import_id })
  await cancel('A staged one.', 2)
  await cancel('Again.', 2)
  await cancel('A complete one.', 1)
  await cancel('No import.', 99)
  await stage('Another.', 'email,name\nx@example.org,X\ny@example.org,Y\nz@example.org,Z', { filename: 'letters.csv' })
  const { id } = (await world.ok('imports/list', { limit: 1, order: 'newest' })).items[0]
  await dryRun('Its dry-run.', id, { 0: 'email' })
  await commit('Its commit.', { import_id: id })
  await cancel('A queued one, with its job.', id)
  await tour.changes()

  tour.heading('A job that fails')
  await stage('Another.', 'email\nv@example.org\nw@example.org', { filename: 'broken.csv' })
  const broken = (await world.ok('imports/list', { limit: 1, order: 'newest' })).items[0].id
  await dryRun('Its dry-run.', broken, { 0: 'email' })
  await commit('Its commit.', { import_id: broken })
  const people = await store.db.all<{ people: string }>(
    sql`SELECT people FROM import_pages WHERE import_id = ${broken}`,
  )
  await store.write((tx) => tx.run(sql`UPDATE import_pages SET people = '[' WHERE import_id = ${broken}`))
  await tour.skip()
  for (const ms of [0, 14_999, 1, 14_999, 1]) {
    world.clock.advance(ms)
    await world.service.drain('jobs')
    tour.write(`after ${ms} ms`)
    await tour.changes()
  }
  const { job_id } = (await world.ok('imports/get', { import_id: broken })).import
  await tour.call('The import says why.', 'imports/get', { import_id: broken })
  await tour.call('The job says why.', 'jobs/get', { job_id })
  await store.write((tx) =>
    tx.run(sql`UPDATE import_pages SET people = ${people[0]!.people} WHERE import_id = ${broken}`),
  )
  await tour.call('An editor queues the job again.', 'jobs/requeue', { job_id }, { as: 'editor' })
  await tour.call('The job waits.', 'jobs/requeue', { job_id })
  await world.service.drain('jobs')
  await tour.call('The import is complete.', 'imports/get', { import_id: broken })
  await tour.changes()
  await importRows()

  tour.heading('Jobs')
  const shown = ({ id, kind, status }: Record<string, unknown>) => [id, kind, status]
  for (const more of [
    {},
    { order: 'oldest' },
    { statuses: ['completed'] },
    { statuses: ['cancelled', 'failed'], kinds: ['import', 'bulk'] },
    { kinds: ['bulk'] },
  ])
    await tour.pages('A list in pages.', 'jobs/list', { limit: 1, ...more }, shown)
  await tour.call('A whole one.', 'jobs/list', { limit: 2 })
  await tour.call('Of a neighbor.', 'jobs/list', {}, { as: 'other' })
  await tour.call('A job of a neighbor.', 'jobs/get', { job_id }, { as: 'other' })
  await tour.call('No job.', 'jobs/get', { job_id: 99 })
  await tour.call('One that is complete.', 'jobs/requeue', { job_id })
  await tour.call('None.', 'jobs/requeue', { job_id: 99 })
  await tour.call('No statuses.', 'jobs/list', { statuses: [] })
  await tour.call('A wrong kind and status.', 'jobs/list', { kinds: ['x'], statuses: ['y'] })

  tour.heading('The time goes by')
  await stage('One that nobody commits.', 'email\nlate@example.org')
  for (const [words, ms] of [
    ['almost 7 days', 7 * DAY_MS - 1],
    ['7 days', 1],
    ['90 days', 83 * DAY_MS],
    ['400 days', 310 * DAY_MS + 3_600_000],
  ] as const) {
    world.clock.advance(ms)
    await world.service.drain('maintenance')
    tour.write(`after ${words}`)
    await importRows()
    const left = await store.db.all(sql`SELECT id, status FROM jobs ORDER BY id`)
    tour.write(`jobs: ${JSON.stringify(left)}`)
  }
  await tour.skip()
}

async function uploads(): Promise<void> {
  tour.heading('Uploads in parts')
  const upload = async (
    sentence: string,
    query: string,
    body: string,
    range?: string,
    role: 'editor' | 'member' = 'editor',
  ) => {
    world.clock.advance(1000)
    const response = await world.fetch(`/project/imports/upload?project_id=${world.project.public_id}${query}`, {
      method: 'POST',
      headers: {
        Cookie: await world.cookie(role),
        'Content-Type': 'application/octet-stream',
        ...(range && { 'Content-Range': range }),
      },
      body,
    })
    const answer = (await response.json()) as Record<string, any>
    delete answer.request_id
    tour.write(
      `- ${sentence}`,
      `  ${query} ${range ?? ''} ${JSON.stringify(body)}`,
      `  ${response.status} ${outline(answer, '  ')}`,
    )
    return answer
  }
  const first = await upload('The first part.', '&filename=parts.csv', 'email\na@exa', 'bytes 0-10/40')
  const id = Number(first.import.id)
  await upload('The second part.', `&import_id=${id}`, 'mple.org\nb@', 'bytes 11-21/40')
  await upload('The second part again.', `&import_id=${id}`, 'mple.org\nb@', 'bytes 11-21/40')
  await upload('How much is there?', `&import_id=${id}`, '', 'bytes */40')
  await upload('Another size.', `&import_id=${id}`, 'x', 'bytes 22-22/41')
  await upload('A range that does not fit.', `&import_id=${id}`, 'xy', 'bytes 22-22/40')
  await upload('A part behind the end.', `&import_id=${id}`, 'x', 'bytes 40-40/40')
  await upload('No range.', `&import_id=${id}`, 'x', 'bytes')
  await upload('No size.', '', '', 'bytes */0')
  await upload('A file that is too large.', '', 'x', 'bytes 0-0/1073741825')
  await upload('A question with a body.', `&import_id=${id}`, 'x', 'bytes */40')
  await upload('A part before the first.', '', 'x', 'bytes 5-5/40')
  await upload('A member may not.', '', 'email', undefined, 'member')
  const examine = async (sentence: string, body: object) => {
    const { status, body: answer } = await world.as('editor', '/project/imports/examine', {
      mapping: { 0: 'email' },
      options: {},
      ...body,
    })
    const rest = { ...answer }
    delete rest.request_id
    tour.write(`- ${sentence}`, `  ${JSON.stringify(body)}`, `  ${status} ${outline(rest, '  ')}`)
  }
  await examine('It is not whole.', { import_id: id })
  await upload('The last part.', `&import_id=${id}`, 'example.org\nc@exam', 'bytes 22-39/40')
  await upload('It is whole.', `&import_id=${id}`, 'x', 'bytes 39-39/40')
  await examine('It is read by a job.', { import_id: id })
  await examine('It is read already.', { import_id: id })
  await tour.changes()
  await importRows()
  await world.service.drain('jobs')
  await tour.call('It was read.', 'imports/get', { import_id: id })
  await tour.changes()
  await importRows()
  await examine('No mapping.', { import_id: id, mapping: {} })
  await examine('No import.', { import_id: 99 })
  await upload('A whole file.', '&filename=whole.csv', 'email;name\nq@example.org;Q')
}

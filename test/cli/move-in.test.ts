import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { newId } from '../../src/ids.ts'
import { openStore } from '../../src/store/open.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { lists } from '../../src/store/tables/audience.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { masthead, mastheadHere, scratchFolder } from './masthead.ts'

const EXPORTS = join(import.meta.dir, '../newsletter/imports/exports')
const scratch = scratchFolder()
const run = (...args: string[]) => mastheadHere(scratch.path, args)
const start = (...args: string[]) => masthead(scratch.path, args)
const json = async (args: string[], how = run) => {
  const { code, stdout, stderr } = await how(...args, '--json')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}
const withStore = async <T>(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> => {
  const store = await openStore({ url: `file:${join(scratch.path, 'data/masthead.db')}` })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
const exported = async (project: string, ...columns: string[]) =>
  (await run('contacts', 'export', project, '-', '--columns', columns.join(','))).stdout
    .trimEnd()
    .split('\r\n')
    .slice(1)

const project = (slug: string) =>
  withStore((store) =>
    store.write(async (tx) => {
      const at = { created_at: 0, updated_at: 0 }
      const made = await tx
        .insert(projects)
        .values({ public_id: newId('prj'), slug, name: slug, ...at })
        .returning({ project_id: projects.id })
      await tx.insert(lists).values({ ...made[0]!, name: 'News', name_key: 'news', double_opt_in: true, ...at })
    }),
  )

beforeAll(() => json(['user', 'create', '--email', 'owner@harbour.example', '--password', '12345678'], start))
afterAll(() => scratch.remove())

const MAILCHIMP = ['subscribed', 'unsubscribed', 'cleaned', 'nonsubscribed'].map(
  (status) => `${status}_members_export_8f.csv`,
)
const OUT = { out1: 'unsubscribed', out2: 'unsubscribed', out3: 'unsubscribed' }

test.each([
  ['listmonk', ['listmonk.csv', 'unsubscribed-listmonk.csv'], OUT],
  ['ghost', ['ghost.csv'], { out1: OUT.out1, out2: OUT.out2 }],
  ['mailchimp', MAILCHIMP, { out1: OUT.out1, out2: 'bounced', out3: OUT.out3 }],
  ['mailtrain', ['mailtrain.csv'], { out1: OUT.out1, out2: 'bounced', out3: 'complained' }],
  ['keila', ['keila.csv'], { out1: OUT.out1, out2: 'bounced' }],
  ['substack', ['substack.csv'], { out1: OUT.out1, out2: OUT.out2 }],
  ['brevo', ['brevo.csv'], { out1: OUT.out1 }],
  ['brevo', ['brevo-template.csv'], { out1: OUT.out1 }],
  ['brevo', ['brevo-api.csv'], { out1: OUT.out1, out2: OUT.out2 }],
] as const)(
  'An export of %s (%j) brings everyone in, nobody who left back, and says what happened to each row.',
  async (provider, files, out) => {
    const slug = files[0].replace(/_.*|\.csv$/, '')
    await project(slug)
    const report = join(scratch.path, `${slug}-report.csv`)
    const paths = files.map((file) => join(EXPORTS, file))
    const { imports } = await json([
      ...['move-in', provider, ...paths],
      ...['--project', slug, '--list', 'News', '--report', report],
    ])
    const total = (name: string) => imports.reduce((sum: number, one: any) => sum + one.counters[name], 0)
    const people = ['in1', 'in2', ...Object.keys(out)]
    expect([total('created'), total('failed')]).toEqual([people.length, 1])
    const contacts = await exported(slug, 'email', 'global_status', 'lists')
    expect(contacts.map((line) => line.split(',', 2).join(',')).sort()).toEqual(
      [
        'in1@example.com,subscribed',
        'in2@example.com,subscribed',
        ...Object.entries(out).map(([name, status]) => `${name}@example.com,${status}`),
      ].sort(),
    )
    expect(contacts.filter((line) => line.includes(':subscribed'))).toHaveLength(2)
    const lines = readFileSync(report, 'utf8').trimEnd().split('\r\n')
    const rows = files.flatMap((file) => readFileSync(join(EXPORTS, file), 'utf8').trimEnd().split('\n').slice(1))
    expect(lines.filter((line) => !line.startsWith('row,'))).toHaveLength(rows.length)
    expect(lines.filter((line) => line.includes(',invalid,'))).toHaveLength(1)
  },
)

test('Names, tags and the time of consent move in as well.', async () => {
  for (const [provider, slug, files] of [
    ['brevo', 'brevo-names', ['brevo.csv']],
    ['brevo', 'brevo-template-names', ['brevo-template.csv']],
    ['mailchimp', 'subscribed-names', MAILCHIMP],
    ['ghost', 'ghost-names', ['ghost.csv']],
    ['listmonk', 'listmonk-names', ['listmonk.csv', 'unsubscribed-listmonk.csv']],
    ['mailtrain', 'mailtrain-names', ['mailtrain.csv']],
  ] as const) {
    await project(slug)
    const paths = files.map((file) => join(EXPORTS, file))
    await json(['move-in', provider, ...paths, '--project', slug, '--list', 'News'])
  }
  for (const slug of ['brevo-names', 'brevo-template-names'])
    expect((await exported(slug, 'email', 'consent_at'))[0]).toMatch(/^in1@example.com,2023-03-01T(09|10):00:00.000Z$/)
  expect(
    (await exported('subscribed-names', 'email', 'full_name', 'consent_at')).find((line) => line.startsWith('in1')),
  ).toBe('in1@example.com,Ada Lovelace,2020-02-03T04:06:00.000Z')
  const tags = await withStore((store) =>
    store.db.all<{ name: string }>(sql`
      SELECT tag.name FROM contacts contact JOIN contact_tags tagged ON tagged.contact_id = contact.id
      JOIN tags tag ON tag.id = tagged.tag_id JOIN projects project ON project.id = contact.project_id
      WHERE project.slug IN ('subscribed-names', 'ghost-names') AND contact.email = 'in1@example.com'
      ORDER BY project.slug, tag.id`),
  )
  expect(tags.map(({ name }) => name)).toEqual(['VIP', 'Blog', 'VIP', 'Blog, daily'])
  for (const slug of ['listmonk-names', 'mailtrain-names'])
    expect(await exported(slug, 'email', 'first_name', 'last_name')).toContain('in1@example.com,Ada,Lovelace')
})

test('The files of people who left come first, so that nobody of them is subscribed in between.', async () => {
  await project('order')
  const paths = ['subscribed', 'unsubscribed', 'cleaned'].map((name) => join(EXPORTS, `${name}_members_export_8f.csv`))
  const { stdout } = await run('move-in', 'mailchimp', ...paths, '--project', 'order', '--list', 'News', '--dry-run')
  expect(stdout.split('\n').filter((line) => paths.includes(line))).toEqual([paths[1]!, paths[2]!, paths[0]!])
})

test('A dry-run of a move changes nothing.', async () => {
  await project('dry')
  const { imports } = await json(
    ['move-in', 'keila', join(EXPORTS, 'keila.csv'), '--project', 'dry', '--dry-run'],
    start,
  )
  expect(imports).toMatchObject([{ status: 'cancelled', summary: { new: 4, invalid: 1 }, findings: { opted_out: 2 } }])
  expect(await exported('dry', 'email')).toEqual([])
})

test('An export of listmonk alone does not say who left a list, and the command tells so.', async () => {
  await project('alone')
  const { warning } = await json([
    ...['move-in', 'listmonk', join(EXPORTS, 'listmonk.csv')],
    ...['--project', 'alone', '--dry-run'],
  ])
  expect(warning).toContain('calls everybody enabled who left a list')
})

test('An export that does not say who opted out is refused, as is an unknown provider.', async () => {
  await project('undecided')
  writeFileSync(join(scratch.path, 'old.csv'), 'Email,First name\nout1@example.com,Cy\n')
  const refused = await run('move-in', 'keila', 'old.csv', '--project', 'undecided')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('does not say who opted out')])
  copyFileSync(join(EXPORTS, 'subscribed_members_export_8f.csv'), join(scratch.path, 'members.csv'))
  expect((await run('move-in', 'mailchimp', 'members.csv', '--project', 'undecided')).code).toBe(1)
  expect(await run('move-in', 'constructor', 'old.csv', '--project', 'undecided')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Unknown provider constructor. Expected one of listmonk, ghost,'),
  })
})

test('A file is imported while the service runs.', async () => {
  const service = await startServiceProcess(join(scratch.path, 'data'))
  try {
    const people = Array.from({ length: 3000 }, (_, index) => `p${index}@example.com`)
    writeFileSync(join(scratch.path, 'many.csv'), `email\n${people.join('\n')}\n`)
    await project('busy')
    const { import: done } = await json(['contacts', 'import', 'busy', 'many.csv'], start)
    expect(done).toMatchObject({ status: 'completed', counters: { created: 3000 } })
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  } finally {
    await service.stop()
  }
  expect(await exported('busy', 'email')).toHaveLength(3000)
})

test('Suppressions are exported, and imported into another project with their reasons.', async () => {
  await project('left')
  await project('right')
  await json(['move-in', 'mailtrain', join(EXPORTS, 'mailtrain.csv'), '--project', 'left', '--list', 'News'])
  writeFileSync(
    join(scratch.path, 'both.csv'),
    'email,reason\nboth@example.com,unsubscribe\nboth@example.com,bounced\n',
  )
  await json(['suppressions', 'import', 'left', 'both.csv'])
  const { stdout } = await start('suppressions', 'export', 'left', '-')
  expect(stdout.split('\r\n').map((line) => line.split(',').slice(0, 2).join())).toEqual([
    'email,reason',
    'out1@example.com,unsubscribe',
    'out2@example.com,hard_bounce',
    'out3@example.com,complaint',
    'both@example.com,unsubscribe',
    '',
  ])
  await json(['move-in', 'substack', join(EXPORTS, 'substack.csv'), '--project', 'right'], start)
  writeFileSync(
    join(scratch.path, 'block.csv'),
    `${stdout}in1@example.com,cleaned,,\r\nin2@example.com,,,\r\nwrong,,,\r\n`,
  )
  const imported = await start('suppressions', 'import', 'right', 'block.csv', '--json')
  expect([imported.code, JSON.parse(imported.stdout)]).toEqual([
    1,
    { rows: 7, suppressed: 6, invalid: 1, invalid_rows: [8] },
  ])
  expect((await exported('right', 'email', 'global_status')).sort()).toEqual([
    'in1@example.com,bounced',
    'in2@example.com,unsubscribed',
    'out1@example.com,unsubscribed',
    // Left, by the first file, before the address bounced.
    'out2@example.com,unsubscribed',
  ])
  const reasons = await withStore((store) =>
    store.db.all<{ email: string; reason: string }>(sql`
      SELECT suppression.email, suppression.reason FROM suppressions suppression
      JOIN projects project ON project.id = suppression.project_id WHERE project.slug = 'right' ORDER BY email`),
  )
  expect(reasons.map(({ email, reason }) => `${email} ${reason}`)).toEqual([
    'both@example.com unsubscribe',
    'in1@example.com hard_bounce',
    'in2@example.com manual',
    'out1@example.com unsubscribe',
    'out2@example.com hard_bounce',
    'out3@example.com complaint',
  ])
  expect(await json(['suppressions', 'export', 'right', 'all.csv'], start)).toEqual({ file: 'all.csv', exported: 6 })
  expect((await run('suppressions', 'export', 'right', 'all.csv')).stderr).toContain('Cannot create all.csv (EEXIST).')
})

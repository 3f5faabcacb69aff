import { beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
let data: DataFolder
let folders = 0
beforeEach(async () => {
  data = await dataFolder(join(folder, `data-${folders++}`))
})
const rows = (text: string) => data.withStore((store) => store.query(text))
const noted = (action: string) =>
  rows(`SELECT target, project_id, details FROM audit_log WHERE action = '${action}' ORDER BY id DESC LIMIT 1`)
const create = (...more: string[]) =>
  data.run('project', 'create', '--name', 'News', '--slug', 'news', '--owner', 'owner@example.com', ...more)

test('A project has its owner, a domain that needs no proof, and limits only where they are given.', async () => {
  const { text, data: made } = await create('--domain', 'News.example', '--monthly-limit', '0', '--contact-limit', '9')
  const { id } = made as { id: string }
  expect([text, made as unknown]).toEqual([
    `Created news (${id}), owned by owner@example.com.`,
    {
      id,
      name: 'News',
      slug: 'news',
      domain: 'news.example',
      monthly_limit: 0,
      contact_limit: 9,
      owner_id: data.owner_id,
    },
  ])
  const [project] = await rows("SELECT id, domain, domain_claim, monthly_limit FROM projects WHERE slug = 'news'")
  expect(project).toMatchObject({ domain: 'news.example', domain_claim: null, monthly_limit: 0 })
  expect(await rows(`SELECT user_id, role FROM members WHERE project_id = ${String(project!.id)}`)).toEqual([
    { user_id: data.owner_id, role: 'owner' },
  ])
  expect(await noted('project create')).toEqual([
    { target: `project:${id}`, project_id: project!.id as number, details: null },
  ])
  const plain = await data.run('project', 'create', '--name', 'B', '--slug', 'bare', '--owner', data.owner_id)
  expect(plain.data).toEqual({ id: expect.any(String), name: 'B', slug: 'bare', owner_id: data.owner_id })
})

test('A limit that is no whole number is refused, and so is a project without a known owner.', async () => {
  for (const wrong of ['x', '-1', '1.5', ''])
    await expect(create('--slug=other', `--monthly-limit=${wrong}`).catch(() => 'refused')).resolves.toBe('refused')
  const nobody = data.run('project', 'create', '--name', 'X', '--slug', 'x', '--owner', 'nobody@example.com')
  await expect(nobody).rejects.toThrow('There is no user nobody@example.com.')
  expect(await rows("SELECT 1 FROM projects WHERE slug IN ('other', 'x')")).toEqual([])
})

test('A domain is set, listed and taken away, and one that waits for its proof is marked.', async () => {
  await create('--domain', 'News.example', '--monthly-limit', '0', '--contact-limit', '9')
  await data.run('project', 'create', '--name', 'B', '--slug', 'bare', '--owner', data.owner_id)
  const set = await data.run('project', 'set-domain', '--project', 'bare', '--domain', 'bare.example')
  expect([set.text, set.data]).toMatchObject(['bare is at bare.example.', { slug: 'bare', domain: 'bare.example' }])
  await data.withStore((store) =>
    store.write((tx) => tx.script("UPDATE projects SET domain_claim = 'harbour.example' WHERE slug = 'harbour'")),
  )
  const { text, data: listed } = await data.run('project', 'list')
  const lines = text!.split('\n').map((line) => line.split(/ {2,}/).slice(1).join('|').trim())
  expect(lines).toEqual([
    'SLUG|NAME|DOMAIN',
    'harbour|Harbour|harbour.example (unproven)',
    'news|News|news.example',
    'bare|B|bare.example',
  ])
  const { projects } = listed as { projects: Record<string, unknown>[] }
  expect(projects.map(({ monthly_limit, contact_limit }) => [monthly_limit, contact_limit])).toEqual([
    [undefined, undefined],
    [0, 9],
    [undefined, undefined],
  ])
  const gone = await data.run('project', 'set-domain', '--project', 'bare')
  expect(gone.text).toBe('bare has no domain.')
  const [{ id, public_id }] = (await rows("SELECT id, public_id FROM projects WHERE slug = 'bare'")) as [
    { id: number; public_id: string },
  ]
  expect(await noted('project set-domain')).toEqual([{ target: `project:${public_id}`, project_id: id, details: null }])
})

test('A member gets exactly the role that is named.', async () => {
  const add = (role: string) =>
    data.run('project', 'add-member', '--project', 'harbour', '--user', 'ada@example.com', '--role', role)
  await expect(add('boss')).rejects.toThrow('--role expects one of owner, administrator, editor, member.')
  await data.withStore((store) =>
    store.write((tx) =>
      tx.script(`INSERT INTO users (id, email, email_key, created_at, updated_at)
        VALUES ('usr_ada', 'ada@example.com', 'ada@example.com', 0, 0)`),
    ),
  )
  const { text, data: added } = await add('editor')
  expect([text, added as unknown]).toEqual([
    'ada@example.com is now editor of harbour.',
    { project_id: data.public_id, user_id: 'usr_ada', role: 'editor' },
  ])
  expect(await rows(`SELECT project_id, role FROM members WHERE user_id = 'usr_ada'`)).toEqual([
    { project_id: data.project_id, role: 'editor' },
  ])
  expect(await noted('project add-member')).toEqual([
    { target: 'user:usr_ada', project_id: data.project_id, details: '{"role":"editor"}' },
  ])
})

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import type { Connection } from '../../../src/newsletter/connections/connection.ts'
import { connectionBehind } from '../../../src/newsletter/connections/webhooks/receive.ts'
import { webhookUrls } from '../../../src/newsletter/connections/webhook-urls.operations.ts'
import { Keys, newMasterKey } from '../../../src/secrets.ts'
import type { Store } from '../../../src/store/open.ts'
import { connections } from '../../../src/store/tables/delivery.ts'
import { KEYS, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

interface Shown {
  provider: string
  url: string
  topic?: string | null
}
const ROOT = 'https://mail.example/general/newsletter/webhooks'

async function connection(project_id: ProjectId, more: Partial<Connection>): Promise<number> {
  const values = { project_id, name: 'Quay', name_key: `${more.name}`, provider: 'smtp' as const, host: 'a.example' }
  const others = { port: 25, secure: 'none' as const, username: '', created_at: NOW, updated_at: NOW }
  return write(
    async (tx) =>
      (
        await tx
          .insert(connections)
          .values({ ...values, ...others, ...more })
          .returning()
      )[0]!.id,
  )
}

async function ask(project_id: ProjectId, connection_id: number, keys = KEYS, other?: Store): Promise<Shown> {
  const store = other ?? (await sharedStore())
  const context = { db: store.db, store, keys, base_url: 'https://mail.example', project_id }
  const { urls } = (await webhookUrls.act.run({ connection_id }, context as never, undefined as never)) as {
    urls: Shown[]
  }
  expect(urls).toHaveLength(1)
  return urls[0]!
}

test('A relay and the sandbox report by mail, a provider in its own way, and only SES has a topic.', async () => {
  const project_id = await newProject()
  const shown = async (provider: Connection['provider'], more: Partial<Connection> = {}) => {
    const {
      provider: kind,
      url,
      topic,
    } = await ask(project_id, await connection(project_id, { provider, name: provider, ...more }))
    expect(url).toMatch(new RegExp(`^${ROOT}/${kind}/svc_wh_[\\w-]{43}$`))
    return [kind, topic]
  }
  expect(await shown('smtp', { webhook_topic: 'arn:a' })).toEqual(['mime', undefined])
  expect(await shown('sandbox')).toEqual(['mime', undefined])
  expect(await shown('resend')).toEqual(['resend', undefined])
  expect(await shown('ses', { webhook_topic: 'arn:a' })).toEqual(['ses', 'arn:a'])
})

test('The address of a webhook stays, finds its connection, and is another one under another secret key.', async () => {
  const project_id = await newProject()
  const [id, other] = [
    await connection(project_id, { provider: 'resend', name: 'a' }),
    await connection(project_id, { provider: 'resend', name: 'b' }),
  ]
  const { db } = await sharedStore()
  const tokenOf = (url: string) => url.split('/').at(-1)!
  const behind = async (url: string) => (await connectionBehind(db, 'resend', tokenOf(url)))?.id
  const { url } = await ask(project_id, id)
  expect([(await ask(project_id, id)).url, await behind(url)]).toEqual([url, id])
  const { url: others } = await ask(project_id, other)
  expect([others === url, await behind(others), await behind(url)]).toEqual([false, other, id])
  const next = (await ask(project_id, id, new Keys(newMasterKey()))).url
  expect([next === url, await behind(next), await behind(url), await behind(others)]).toEqual([
    ...[false, id, undefined, other],
  ])
  const before = (await db.select().from(connections).where(eq(connections.id, id)))[0]!
  expect(before.updated_at).toBe(NOW)
})

test('Of two first requests at once, the later one gives the address that the other one stored.', async () => {
  const project_id = await newProject()
  const id = await connection(project_id, { provider: 'brevo' })
  const store = await sharedStore()
  let first: Shown | undefined
  const late = {
    db: store.db,
    write: async (work: Parameters<Store['write']>[0]) => {
      first = await ask(project_id, id)
      return store.write(work)
    },
  } as Store
  expect((await ask(project_id, id, KEYS, late)).url).toBe(first!.url)
  expect((await ask(project_id, id)).url).toBe(first!.url)
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sandbox_messages } from '../../../../src/store/tables/delivery.ts'
import { createSiteWorld, type SiteWorld } from '../../site-world.ts'
import { routeSamples } from '../../route-samples.ts'

let world: SiteWorld
beforeAll(async () => {
  world = await createSiteWorld()
})
afterAll(() => world.close())

test('Members read the stored messages of their own project, and editors delete them.', async () => {
  const store = async (): Promise<number> =>
    (await routeSamples['POST /project/mailbox/get']!(world)).body!.message_id as number
  const [first, second] = [await store(), await store()]
  const list = async (body = {}) => (await world.as('member', '/project/mailbox/list', body)).body
  expect(await list({ limit: 1 })).toEqual({
    messages: [
      {
        id: second,
        from: 'news@example.com',
        to: 'ann@example.com',
        subject: 'Tides',
        received_on: '1970-01-01T00:00:00.000Z',
      },
    ],
    sandbox: true,
  })
  expect((await list({ before_id: second })).messages.map(({ id }: any) => id)).toEqual([first])
  expect((await list({ to: 'bob@example.com' })).messages).toEqual([])
  const read = (project_id: string) => world.as('owner', '/project/mailbox/get', { project_id, message_id: first })
  const { message } = (await read(world.project.public_id)).body
  const { store: database } = world.service.runtime
  const raw = 'From: "Tide, the" <tide@harbour.example>\r\nTo: ann@example.com\r\nSubject: Low\r\n\r\nAt six.\r\n'
  await database.write((tx) => tx.update(sandbox_messages).set({ raw }).where(eq(sandbox_messages.id, second)))
  expect((await list({ limit: 1 })).messages[0]).toMatchObject({ from: 'tide@harbour.example', subject: 'Low' })
  expect([message.text, message.headers.subject]).toEqual(['High at noon.', 'Tides'])
  const elsewhere = await read(world.other.public_id)
  expect([elsewhere.status, elsewhere.body.details?.[0]?.path]).toEqual([404, '/message_id'])
  expect((await world.as('member', '/project/mailbox/clear')).status).toBe(403)
  expect((await world.as('editor', '/project/mailbox/clear')).body).toEqual({ deleted: 2 })
})

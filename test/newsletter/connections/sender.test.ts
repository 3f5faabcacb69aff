import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connectionOf, senderOf, tidySender, withoutSender } from '../../../src/newsletter/connections/sender.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const settings = { from_name: 'Harbour', from_email: 'news@harbour.example', reply_to: 'desk@harbour.example' }

test("Each field of a campaign's sender that is filled replaces that of the project.", () => {
  expect(senderOf(settings)).toEqual(settings)
  expect(senderOf(settings, { from_name: '', from_email: 'own@harbour.example', reply_to: '' })).toEqual({
    ...settings,
    from_email: 'own@harbour.example',
  })
  const own = { from_name: 'Own', from_email: 'own@harbour.example', reply_to: 'mine@harbour.example' }
  expect(senderOf(settings, own)).toEqual(own)
})

test('Only the given fields of a sender are tidied and returned.', () => {
  expect(tidySender({ from_email: ' news@harbour.example ', from_name: '' })).toEqual({
    from_email: 'news@harbour.example',
    from_name: '',
  })
  expect(tidySender({})).toEqual({})
})

test('A missing sender is one check that is not met.', () => {
  expect(withoutSender('Set it.', 'It is missing.')).toMatchObject({
    code: 'NOT_READY',
    message: 'Set it.',
    details: { checks: [{ code: 'sender', ok: false, message: 'It is missing.' }] },
  })
})

test('The chosen connection sends, else the default one, else the only one.', async () => {
  const { db } = world.service.runtime.store
  const { id: project_id } = world.project
  const find = (default_connection_id: number | null, chosen?: number | null, project = project_id) =>
    connectionOf(db, project, { default_connection_id }, chosen).then((found) => found?.id ?? null)
  const create = async (name: string): Promise<number> =>
    (await world.ok('connections/create', { name, provider: 'sandbox' })).connection.id
  expect(await find(null)).toBeNull()
  const first = await create('First')
  expect(await find(null)).toBe(first)
  const second = await create('Second')
  expect(await find(null)).toBeNull()
  expect([await find(second), await find(second, first), await find(second, null)]).toEqual([second, first, second])
  // A chosen connection that was deleted is not replaced, and another project's is not found.
  expect([await find(first, 4711), await find(first, null, world.other.id)]).toEqual([null, null])
})

import { expect, test } from 'bun:test'
import { inArray } from 'drizzle-orm'
import { publishScript, publishScripts, unpublishScript } from '../../src/scripts/published.ts'
import { one } from '../../src/store/rows.ts'
import { published_scripts, scripts } from '../../src/store/tables/scripts.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const CONTENT = {
  name: 'Lamp',
  type: scripts.type.enumValues[0],
  placement: scripts.placement.enumValues[0],
  code: 'x',
  parameters: {},
}
const newScript = (app_id: string): Promise<number> =>
  write(async (tx) => {
    const values = { app_id, ...CONTENT, created_at: NOW, updated_at: NOW }
    return one(await tx.insert(scripts).values(values).returning({ id: scripts.id })).id
  })
const published = (script_id: number, code = 'x') => ({ script_id, ...CONTENT, code, parameter_formats: {} })
const live = async (ids: number[]) =>
  Object.fromEntries(
    (
      await (await sharedStore()).db.select().from(published_scripts).where(inArray(published_scripts.script_id, ids))
    ).map(({ script_id, code }) => [script_id, code]),
  )

test('A script is published, replaced and unpublished on its own.', async () => {
  const app = await newApp(await newUser())
  const [one, other] = [await newScript(app.id), await newScript(app.id)]
  await write((tx) => publishScript(tx, published(one)))
  await write((tx) => publishScript(tx, published(other)))
  await write((tx) => publishScript(tx, published(one, 'y')))
  expect(await live([one, other])).toEqual({ [one]: 'y', [other]: 'x' })
  await write((tx) => unpublishScript(tx, one))
  expect(await live([one, other])).toEqual({ [other]: 'x' })
})

test('A version publishes exactly its scripts, and leaves those of other apps.', async () => {
  const user = await newUser()
  const [app, elsewhere] = [await newApp(user), await newApp(user)]
  const [one, other, theirs] = [await newScript(app.id), await newScript(app.id), await newScript(elsewhere.id)]
  for (const id of [one, theirs]) await write((tx) => publishScript(tx, published(id)))
  await write((tx) => publishScripts(tx, app.id, [published(other, 'z')]))
  expect(await live([one, other, theirs])).toEqual({ [other]: 'z', [theirs]: 'x' })
  await write((tx) => publishScripts(tx, app.id, []))
  expect(await live([one, other, theirs])).toEqual({ [theirs]: 'x' })
})

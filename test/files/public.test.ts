import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { addressOf } from '../../src/files/address.ts'
import { getPublicPicture } from '../../src/files/public.ts'
import { newApp, newProject, newUser, sharedStore, write } from '../support/shared-store.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const addressed = () => addressOf(crypto.randomUUID(), { bytes: bytes('x') })
const refusal = async (name: string) =>
  getPublicPicture((await sharedStore()).db, name).then(
    () => null,
    (error: { code: string }) => error.code,
  )

test('A picture of a project or an app is found by its own name alone.', async () => {
  const { db } = await sharedStore()
  const [project_id, [one, other, image]] = [await newProject(), [addressed(), addressed(), addressed()]]
  const app = await newApp(await newUser())
  await write(async (tx) => {
    for (const [address, text] of [
      [one, 'one'],
      [other, 'other'],
    ])
      await tx.run(sql`
        INSERT INTO files (project_id, address, name, alt, type, width, height, bytes, created_at, content)
        VALUES (${project_id}, ${address}, 'a', '', 'image/jpeg', 1, 1, 3, 0, ${bytes(text!)})`)
    await tx.run(sql`
      INSERT INTO app_images (app_id, address, name, type, width, height, bytes, created_at, content)
      VALUES (${app.id}, ${image}, 'a', 'image/png', 1, 1, 5, 0, ${bytes('image')})`)
  })
  for (const [name, type, text] of [
    [`${one}.jpg`, 'image/jpeg', 'one'],
    [`${other}.jpg`, 'image/jpeg', 'other'],
    [`${image}.png`, 'image/png', 'image'],
  ] as const) {
    const picture = await getPublicPicture(db, name)
    expect([picture.type, Buffer.from(await picture.read()).toString()]).toEqual([type, text])
  }
  for (const wrong of [`${one}.png`, one!, `${one}.jpg.jpg`, `x${one}.jpg`, `${addressed()}.jpg`, ''])
    expect([wrong, await refusal(wrong)]).toEqual([wrong, 'NOT_FOUND'])
  const kept = await getPublicPicture(db, `${one}.jpg`)
  await write((tx) => tx.run(sql`UPDATE projects SET deleted_at = 1 WHERE id = ${project_id}`))
  expect([await refusal(`${one}.jpg`), await refusal(`${image}.png`)]).toEqual(['NOT_FOUND', null])
  await write((tx) => tx.run(sql`DELETE FROM files WHERE project_id = ${project_id}`))
  await expect(kept.read()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

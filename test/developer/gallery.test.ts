import { beforeAll, expect, test } from 'bun:test'
import { APPS, type Desk, openDesk, SCRIPT } from './desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})

const read = async (path: string) => {
  const answer = await desk.world.fetch(`/general/apps${path}`)
  return { status: answer.status, body: (await answer.json()) as any }
}
const names = async (query = '') => (await read(query)).body.apps.map(({ displayName }: any) => displayName)

test('Everybody sees the approved apps with the listing of the version that sites get.', async () => {
  const app = await desk.app({ displayName: 'Tide tables' })
  await desk.app({ displayName: 'Not yet' })
  await desk.script(app.id)
  const listing = { tagline: 'Tides of every harbor', category: 'Weather', description: 'All of them.' }
  await desk.ok('outsider', 'PUT', `${APPS}/${app.id}/listing`, listing)
  await desk.approve(app.id)
  await desk.ok('outsider', 'PUT', `${APPS}/${app.id}/listing`, { tagline: 'A draft' })
  await desk.token(app.id)
  expect(await names()).toEqual(['Tide tables'])
  expect(await names('?search=HARBOR&category=weather')).toEqual(['Tide tables'])
  expect(await names('?category=games')).toEqual([])
  const { app: shown } = (await read(`/${app.id}`)).body
  expect(shown).toMatchObject({
    tagline: 'Tides of every harbor',
    listing_description: 'All of them.',
    projects: 1,
    version: 1,
    scripts: [{ name: SCRIPT.name, type: SCRIPT.type, placement: SCRIPT.placement }],
  })
  await desk.ok('editor', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'Spam.' })
  expect([await names(), (await read(`/${app.id}`)).status]).toEqual([[], 404])
})

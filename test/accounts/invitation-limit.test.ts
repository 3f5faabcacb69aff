import { afterAll, expect, test } from 'bun:test'
import { DAY_MS } from '../../src/clock.ts'
import { APPS, openDesk } from '../developer/desk.ts'
import { closeWorlds, createWorld } from '../support/world.ts'

afterAll(closeWorlds)

test('A new account sends few invitations a day, to projects and teams together, and an older one more.', async () => {
  let desk = await openDesk(await createWorld({ invitations_per_day: 2 }))
  const { clock, project } = desk.world
  const app = await desk.app({ displayName: 'Tide tables' }, 'owner')
  let guests = 0
  const invite = (
    body: object = { project_id: project.public_id, role: 'member' },
    path = '/project/invitations/create',
  ) => desk.as('owner', 'POST', path, { ...body, email: `guest@n${++guests}.example` })
  const inviteMany = async (count: number) => {
    const statuses = await Promise.all(Array.from({ length: count }, () => invite().then(({ status }) => status)))
    return statuses.filter((status) => status === 200).length
  }
  expect([(await invite()).status, (await invite({}, `${APPS}/${app.id}/team/invitations`)).status]).toEqual([200, 200])
  clock.advance(DAY_MS / 2)
  for (const refused of [await invite(), await invite({}, `${APPS}/${app.id}/team`)]) {
    expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'rate_limited', String(DAY_MS / 2000)],
    ])
    expect(refused.body.message).toBe(
      'You sent 2 invitations within a day, which is the most. An older account may send more.',
    )
  }
  clock.advance(DAY_MS / 2)
  expect(await inviteMany(3)).toBe(2)
  clock.advance(6 * DAY_MS)
  expect(await inviteMany(11)).toBe(10)
  clock.advance(23 * DAY_MS)
  // The session has ended meanwhile.
  desk = await openDesk(desk.world)
  expect(await inviteMany(51)).toBe(50)
})

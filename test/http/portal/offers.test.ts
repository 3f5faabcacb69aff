import { expect, test } from 'bun:test'
import { getUser } from '../../../src/accounts/users.ts'
import { inviteToTeam } from '../../../src/developer/team-invitations.ts'
import { listTeam } from '../../../src/developer/team.ts'
import { getOffer, offersFor } from '../../../src/http/portal/offers.ts'
import { invite } from '../../../src/projects/invitations.ts'
import { isMember } from '../../../src/projects/members.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../../support/shared-store.ts'

test('A person is offered places in projects and teams, by the id or the token of a link.', async () => {
  const { db } = await sharedStore()
  const project_id = await newProject({ name: 'Quay News' })
  const host = await newUser({ first_name: 'Ann' }, [project_id, 'owner'])
  const app = await newApp(host)
  const guest = await getUser(db, await newUser({ email: 'guest@offers.example' }))
  const offered = await write(async (tx) => ({
    project: await invite(
      tx,
      { project_id, email: 'Guest@offers.example', role: 'administrator' },
      { user_id: host, role: 'owner' },
      NOW,
    ),
    app: await inviteToTeam(tx, app, { email: guest.email, invited_by: host }, NOW),
  }))
  const about = (one: { id: string; kind: string; name: string; place: string; inviter: string }) =>
    [one.kind, one.name, one.place, one.inviter].join(', ')
  const offers = await offersFor(db, guest.email, NOW)
  expect(offers.map(about)).toEqual([
    'project, Quay News, an administrator of the project, Ann',
    'app, Lamp, a developer of the app, Ann',
  ])
  for (const [index, { invitation, token }] of [offered.project, offered.app].entries())
    for (const by of [{ token }, { id: invitation.id }])
      expect(about(await getOffer(db, by, NOW))).toBe(about(offers[index]!))
  await expect(getOffer(db, { id: 'inv_unknown' }, NOW)).rejects.toMatchObject({ code: 'NOT_FOUND' })

  for (const offer of offers) await write((tx) => offer.accept(tx, guest, NOW))
  expect(await isMember(db, project_id, guest.id)).toBe(true)
  expect((await listTeam(db, app.id)).map(({ user_id }) => user_id)).toEqual([host, guest.id])
  expect(await offersFor(db, guest.email, NOW)).toEqual([])
})

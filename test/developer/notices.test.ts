import { expect, test } from 'bun:test'
import { type App, type AppFields, createApp, updateApp } from '../../src/developer/apps.ts'
import {
  announceDecision,
  announceRedirects,
  announceSubmission,
  announceSuspension,
} from '../../src/developer/notices.ts'
import { type Decision, decide, requestReview } from '../../src/developer/reviews.ts'
import { createVersion } from '../../src/developer/versions.ts'
import { endAuthorization, startAuthorization } from '../../src/oauth/authorizations.ts'
import { app_team } from '../../src/store/tables/developer.ts'
import { queuedFor, senderAt } from '../support/queued-mail.ts'
import { newProject, newUser, NOW, write } from '../support/shared-store.ts'

const OLD = 'https://lamp.example/old'
const NEW = 'https://lamp.example/new'
let people = 0

/** A user whose messages can be read: `got()` answers what was queued since the last time. */
async function reader(more: Parameters<typeof newUser>[0] = {}, in_project?: Parameters<typeof newUser>[1]) {
  const email = `person-${++people}@notices-of-apps.example`
  const id = await newUser({ email, ...more }, in_project)
  let seen = 0
  const got = async () => {
    const all = await queuedFor(email)
    return all.slice(seen, (seen = all.length))
  }
  return { id, got, subjects: async () => (await got()).map(({ subject }) => subject) }
}

async function appWithTeam() {
  const [creator, colleague, closed] = [await reader(), await reader(), await reader({ disabled_at: NOW })]
  const app = await write(async (tx) => {
    const texts = { display_name: 'Notice Lamp', description: '', homepage: '' }
    const rest = { scopes: ['profile'], scope_reasons: {}, require_pkce: false, client_type: 'confidential' as const }
    const made = await createApp(tx, creator.id, { ...texts, ...rest, redirect_uris: [OLD] }, NOW)
    for (const { id } of [colleague, closed])
      await tx.insert(app_team).values({ app_id: made.app.id, user_id: id, added_at: NOW })
    return made.app
  })
  const change = (before: App, changes: Partial<AppFields>) =>
    write(async (tx) => {
      const after = await updateApp(tx, before, changes, NOW)
      await announceRedirects(tx, senderAt(), before)
      return after
    })
  return { app, creator, colleague, closed, change }
}

/** Submits what the developer has written, and has it decided. */
async function review({ app, creator }: { app: App; creator: { id: string } }, decision: Decision, comment: string) {
  const reviewer = await reader({ admin: true })
  const request = await write(async (tx) => {
    const { id: version_id } = await createVersion(tx, app, { user_id: creator.id, notes: '' }, NOW)
    const asked = await requestReview(tx, creator.id, { app_id: app.id, version_id }, NOW)
    await announceSubmission(tx, senderAt(), asked)
    return asked
  })
  await write(async (tx) => {
    const decided = await decide(tx, reviewer.id, { id: request.id, decision, comment }, NOW)
    await announceDecision(tx, senderAt(), decided.request)
    await announceRedirects(tx, senderAt(), decided.before)
  })
  return { reviewer, request }
}

test('The team is told which redirect URIs are in force, and which wait for a review.', async () => {
  const { app, creator, colleague, closed, change } = await appWithTeam()
  let present = await change(app, { redirect_uris: [NEW, OLD] })
  for (const person of [creator, colleague]) {
    const [message] = await person.got()
    expect(message).toMatchObject({ kind: 'app_notice', subject: 'The redirect URIs of your app changed' })
    expect(message!.text).toContain(`In force: ${NEW}, ${OLD}.`)
    expect(message!.text).not.toContain('Not in force')
  }
  expect(await closed.got()).toEqual([])
  present = await change(present, { redirect_uris: [OLD, NEW], display_name: 'Notice Lantern' })
  expect(await creator.got()).toEqual([])
  present = await change(present, { redirect_uris: [] })
  expect((await creator.got())[0]!.text).toContain('In force: none.')
})

test('Of an approved app, the new redirect URIs wait, and the removed ones are gone.', async () => {
  const made = await appWithTeam()
  await review(made, 'approved', '')
  await made.creator.got()
  const approved = { ...made.app, status: 'approved' as const }
  const written = await made.change(approved, { redirect_uris: [OLD, NEW] })
  const [message] = await made.creator.got()
  expect(message!.text).toContain(`In force: ${OLD}.`)
  expect(message!.text).toContain(`Not in force before a review: ${NEW}.`)
  await review({ ...made, app: written }, 'approved', '')
  const changed = (await made.creator.got()).find(({ subject }) => subject.startsWith('The redirect URIs'))
  expect(changed!.text).toContain(`In force: ${OLD}, ${NEW}.`)
})

test('Reviewers are told of a submission with its number, and the team of each decision and its comment.', async () => {
  const made = await appWithTeam()
  const outcomes: [Decision, string, string][] = [
    ['rejected', ' Too dim. ', 'Version 1 of your app Notice Lamp at masthead.example was rejected.'],
    ['changes_requested', 'Brighter.', 'Version 2 of your app Notice Lamp at masthead.example needs changes before'],
    ['approved', '  ', 'Version 3 of your app Notice Lamp at masthead.example was approved. Users and sites get it'],
  ]
  for (const [decision, comment, sentence] of outcomes) {
    const { reviewer, request } = await review(made, decision, comment)
    const [asked, ...others] = await reviewer.got()
    expect([asked!.subject, others.length]).toEqual(['An app asks for a review', 0])
    expect(asked!.text).toContain(`(${made.app.id}) was submitted for review`)
    expect(asked!.text).toContain(`review request ${request.id}.`)
    expect(asked!.text).toContain(`/portal/operator/reviews/${request.id}\n`)
    for (const person of [made.creator, made.colleague]) {
      const [told] = await person.got()
      expect(told!.subject).toBe('The review of your app')
      expect(told!.text).toContain(sentence)
      expect(told!.text).toContain(`/portal/developer/apps/${made.app.id}/versions/${request.version_id}\n`)
      expect(told!.text.includes('The reviewer says:')).toBe(comment.trim() !== '')
      if (comment.trim() !== '') expect(told!.text).toContain(`The reviewer says: ${comment.trim()}\n`)
    }
  }
  expect(await made.closed.got()).toEqual([])
})

test('A suspension is told to the team and once to each administrator of a site that uses the app.', async () => {
  const { app, creator, colleague } = await appWithTeam()
  const projects = [await newProject(), await newProject()]
  const owner = await reader({}, [projects[0]!, 'owner'])
  const administrator = await reader({}, [projects[0]!, 'administrator'])
  const others = [
    await reader({}, [projects[0]!, 'editor']),
    await reader({ disabled_at: NOW }, [projects[0]!, 'owner']),
    await reader({}, [projects[1]!, 'owner']),
  ]
  const grant = (user_id: string, project: number) => {
    const granted = { app_id: app.id, user_id, scope: 'profile', project_ids: [projects[project]!] }
    return write((tx) => startAuthorization(tx, granted, NOW))
  }
  await grant(owner.id, 0)
  await grant(administrator.id, 0)
  const ended = (await grant(others[2]!.id, 1))!
  await write((tx) => endAuthorization(tx, ended, NOW))

  await write((tx) => announceSuspension(tx, senderAt(), app, ' Mines coins. '))
  for (const person of [creator, colleague, owner, administrator]) {
    const [told, ...rest] = await person.got()
    const whose = [creator, colleague].includes(person) ? 'Your app' : 'An app of your project'
    expect([told!.subject, rest.length]).toEqual([`${whose} was suspended`, 0])
    expect(told!.text).toContain(' was suspended. ')
    expect(told!.text).not.toContain('may run again')
    expect(told!.text).toContain('The reviewer says: Mines coins.\n')
    expect(told!.text).toMatch(
      [creator, colleague].includes(person)
        ? `/portal/developer/apps/${app.id}\n`
        : /\/portal\/projects\/[^/]+\/apps\n/,
    )
  }
  for (const person of others) expect(await person.got()).toEqual([])
  await write((tx) => announceSuspension(tx, senderAt(), app, null))
  const lifted = [await creator.got(), await owner.got()].map(([told]) => told!)
  expect(lifted.map(({ subject }) => subject)).toEqual([
    'Your app may run again',
    'An app of your project may run again',
  ])
  expect(lifted.map(({ text }) => text.includes('Its scripts are back on your pages'))).toEqual([false, true])
  for (const { text } of lifted) expect(text).not.toContain('The reviewer says')
})

import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { hostOf, type MessageParts } from '../accounts/message-templates.ts'
import { PORTAL_PATH } from '../accounts/links.ts'
import { queueNotice, type Sender } from '../accounts/notices.ts'
import type { Tx } from '../store/open.ts'
import { users } from '../store/tables/accounts.ts'
import { app_team, app_versions } from '../store/tables/developer.ts'
import { one } from '../store/rows.ts'
import { type App, getApp } from './apps.ts'
import type { Decision, ReviewRequest } from './reviews.ts'

/*
 * Messages about an app (docs/api/platform.md#developer-apps). Wake the loop `mail` after the commit. Subjects are read
 * before the message is opened, so they have no names: names are in the text.
 */

/** Tells the team that redirect URIs changed, in force or as written. Nothing when they did not. */
export async function announceRedirects(tx: Tx, sender: Sender, before: App): Promise<void> {
  const after = await getApp(tx, before.id)
  if (
    isSame(before.redirect_uris, after.redirect_uris) &&
    isSame(before.draft.redirect_uris, after.draft.redirect_uris)
  )
    return
  const waiting = after.draft.redirect_uris.filter((address) => !after.redirect_uris.includes(address))
  await tellTeam(tx, sender, after, {
    subject: 'The redirect URIs of your app changed',
    paragraphs: [
      `The redirect URIs of your app ${after.display_name} at ${hostOf(sender.base_url)} were changed.`,
      `In force: ${listed(after.redirect_uris)}.`,
      ...(waiting.length === 0 ? [] : [`Not in force before a review: ${listed(waiting)}.`]),
    ],
    link: linkTo(sender, 'View the permissions of the app', `/developer/apps/${after.id}/permissions`),
    closing: 'If nobody in your team did this, restore them and replace the secrets of the app.',
  })
}

/** Tells the reviewers that a version was submitted. */
export async function announceSubmission(tx: Tx, sender: Sender, request: ReviewRequest): Promise<void> {
  const { app, number } = await subject(tx, request)
  const reviewers = await addresses(tx, eq(users.admin, true))
  const parts = {
    subject: 'An app asks for a review',
    paragraphs: [
      `Version ${number} of the app ${app.draft.display_name} (${app.id}) was submitted for review ` +
        `at ${hostOf(sender.base_url)}. It is review request ${request.id}.`,
    ],
    link: linkTo(sender, 'Review it', `/operator/reviews/${request.id}`),
    closing: 'You get this message because you review apps.',
  }
  await queueNotice(tx, sender, { kind: 'app_notice', recipients: reviewers }, parts)
}

const DECISIONS = {
  approved: 'was approved. Users and sites get it from now on',
  rejected: 'was rejected',
  changes_requested: 'needs changes before it can be approved',
} as const satisfies Record<Decision, string>

/** Tells the team about a decision and its comment. */
export async function announceDecision(tx: Tx, sender: Sender, request: ReviewRequest): Promise<void> {
  const { app, number } = await subject(tx, request)
  await tellTeam(tx, sender, app, {
    subject: 'The review of your app',
    paragraphs: [
      `Version ${number} of your app ${app.display_name} at ${hostOf(sender.base_url)} ` +
        `${DECISIONS[request.status as Decision]}.`,
      ...commentOf(request.comment),
    ],
    link: linkTo(sender, 'View the version', `/developer/apps/${app.id}/versions/${request.version_id}`),
    closing: CLOSING,
  })
}

/**
 * Tells the team that the app was suspended, with the reason, or that it may run again (`null`). Those who administer
 * projects that use it are told as well.
 */
export async function announceSuspension(tx: Tx, sender: Sender, app: App, comment: string | null): Promise<void> {
  const what =
    comment === null
      ? 'may run again: its suspension was lifted'
      : 'was suspended. Nobody can authorize it, its tokens are refused, and sites leave its scripts out'
  await tellTeam(tx, sender, app, {
    subject: comment === null ? 'Your app may run again' : 'Your app was suspended',
    paragraphs: [`Your app ${app.display_name} at ${hostOf(sender.base_url)} ${what}.`, ...commentOf(comment ?? '')],
    link: linkTo(sender, 'View the app', `/developer/apps/${app.id}`),
    closing: CLOSING,
  })
  await tellSites(tx, sender, app, comment)
}

/** Most addresses that one suspension is told to. */
const MAX_SITES = 1000

async function tellSites(tx: Tx, sender: Sender, { id, display_name }: App, comment: string | null): Promise<void> {
  // The message to a user links to one of their projects that use the app, the first by its short name.
  const rows = await tx.all<{ email: string; slug: string }>(sql`
    SELECT u.email, min(project.slug) AS slug FROM authorizations z
    JOIN authorization_projects p ON p.authorization_id = z.id
    JOIN projects project ON project.id = p.project_id
    JOIN members m ON m.project_id = p.project_id AND m.role IN ('administrator', 'owner')
    JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
    WHERE z.app_id = ${id} AND z.revoked_at IS NULL GROUP BY u.email LIMIT ${MAX_SITES}`)
  const what =
    comment === null
      ? 'may run again: its suspension was lifted. Its scripts are back on your pages'
      : 'was suspended. It has no access to your projects any more, and its scripts are off your pages'
  for (const { email, slug } of rows)
    await queueNotice(
      tx,
      sender,
      { kind: 'app_notice', recipients: [email] },
      {
        subject: comment === null ? 'An app of your project may run again' : 'An app of your project was suspended',
        paragraphs: [
          `The app ${display_name}, which you use at ${hostOf(sender.base_url)}, ${what}.`,
          ...commentOf(comment ?? ''),
        ],
        link: linkTo(sender, 'View the apps of your project', `/projects/${slug}/apps`),
        closing: 'You get this message because you administer a project that uses the app.',
      },
    )
}

function linkTo({ base_url }: Sender, label: string, path: string): { label: string; address: string } {
  return { label, address: base_url + PORTAL_PATH + path }
}

const CLOSING = 'You get this message because you belong to the team of the app.'

function commentOf(comment: string): string[] {
  return comment.trim() === '' ? [] : [`The reviewer says: ${comment.trim()}`]
}

async function tellTeam(tx: Tx, sender: Sender, app: App, parts: MessageParts): Promise<void> {
  const added = tx.select({ user_id: app_team.user_id }).from(app_team).where(eq(app_team.app_id, app.id))
  const team = await addresses(tx, or(eq(users.id, app.user_id), sql`${users.id} IN ${added}`))
  await queueNotice(tx, sender, { kind: 'app_notice', recipients: team }, parts)
}

async function addresses(tx: Tx, which: ReturnType<typeof or>): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(which, isNull(users.disabled_at)))
  return rows.map(({ email }) => email)
}

async function subject(tx: Tx, { app_id, version_id }: ReviewRequest): Promise<{ app: App; number: number }> {
  const version = one(
    await tx.select({ number: app_versions.number }).from(app_versions).where(eq(app_versions.id, version_id)),
  )
  return { app: await getApp(tx, app_id), number: version.number }
}

function listed(redirect_uris: readonly string[]): string {
  return redirect_uris.length === 0 ? 'none' : redirect_uris.join(', ')
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry) => other.includes(entry))
}

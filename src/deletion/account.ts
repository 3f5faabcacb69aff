import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { note } from '../audit/record.ts'
import { hostOf } from '../accounts/message-templates.ts'
import { queueNotice, type Sender } from '../accounts/notices.ts'
import { requireOtherAdministrator, getUser } from '../accounts/users.ts'
import { deleteApp, getApp } from '../developer/apps.ts'
import { AppError } from '../errors.ts'
import { endAuthorization, withdrawMember } from '../oauth/authorizations.ts'
import { getProject, listProjectsOf } from '../projects/projects.ts'
import type { Reader, Tx } from '../store/open.ts'
import {
  account_messages,
  api_keys,
  email_changes,
  identities,
  invitations,
  members,
  password_resets,
  sessions,
  users,
} from '../store/tables/accounts.ts'
import { apps, authorizations } from '../store/tables/apps.ts'
import { app_invitations, app_team, app_test_projects } from '../store/tables/developer.ts'
import { devices, passkeys, recovery_codes, totp_factors } from '../store/tables/sign-in.ts'
import { deleteProject } from './project.ts'

/** The effects of an account's deletion on projects and apps (docs/api/platform.md#deleting-an-account). */
export interface AccountDeletion {
  /** Projects in which nobody else is: they are deleted. */
  deletes_projects: NamedProject[]
  /** Projects that have others and no other owner: they have to be handed over or deleted first. */
  blocked_by: NamedProject[]
  leaves_projects: NamedProject[]
  /** Apps whose team is this user alone: they are deleted. */
  deletes_apps: NamedApp[]
  /** Apps that pass to the member who has been in the team for longest. */
  hands_over_apps: (NamedApp & { to: string })[]
  /** The service keeps an administrator. */
  is_last_administrator: boolean
}

interface NamedProject {
  id: string
  name: string
}
interface NamedApp {
  id: string
  display_name: string
}

export async function accountDeletion(db: Reader, user_id: string): Promise<AccountDeletion> {
  const plan: AccountDeletion = {
    deletes_projects: [],
    blocked_by: [],
    leaves_projects: [],
    deletes_apps: [],
    hands_over_apps: [],
    is_last_administrator: await isLastAdministrator(db, user_id),
  }
  for (const { id, public_id, name, role } of await listProjectsOf(db, user_id)) {
    const others = await db
      .select({ role: members.role, disabled_at: users.disabled_at })
      .from(members)
      .innerJoin(users, eq(users.id, members.user_id))
      .where(and(eq(members.project_id, id), ne(members.user_id, user_id)))
    const keeps_owner = role !== 'owner' || others.some((other) => other.role === 'owner' && other.disabled_at === null)
    const fate = keeps_owner ? plan.leaves_projects : others.length === 0 ? plan.deletes_projects : plan.blocked_by
    fate.push({ id: public_id, name })
  }
  const own = await db
    .select({ id: apps.id, display_name: apps.display_name })
    .from(apps)
    .where(eq(apps.user_id, user_id))
    .orderBy(asc(apps.created_at), asc(apps.id))
  for (const app of own) {
    const to = await nextInTeam(db, app.id)
    if (to === null) plan.deletes_apps.push(app)
    else plan.hands_over_apps.push({ ...app, to })
  }
  return plan
}

async function isLastAdministrator(db: Reader, user_id: string): Promise<boolean> {
  return requireOtherAdministrator(db, user_id).then(
    () => false,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'CONFLICT') return true
      throw error
    },
  )
}

async function nextInTeam(db: Reader, app_id: string): Promise<string | null> {
  const [next] = await db
    .select({ user_id: app_team.user_id })
    .from(app_team)
    .innerJoin(users, and(eq(users.id, app_team.user_id), isNull(users.disabled_at)))
    .where(eq(app_team.app_id, app_id))
    .orderBy(asc(app_team.added_at), asc(app_team.user_id))
    .limit(1)
  return next?.user_id ?? null
}

/**
 * Deletes an account. Its row keeps nothing but the id, which versions, reviews and the audit log refer to. CONFLICT
 * while it is the only owner of a project with other members, or the last administrator of the service. Wake the loops
 * `mail` and `maintenance` after the commit.
 */
export async function deleteAccount(tx: Tx, sender: Sender, user_id: string): Promise<void> {
  const { base_url, now } = sender
  await requireOtherAdministrator(tx, user_id)
  const plan = await accountDeletion(tx, user_id)
  if (plan.blocked_by.length > 0) {
    const names = plan.blocked_by.map(({ name }) => `“${name}”`).join(', ')
    throw new AppError('CONFLICT', `You are the only owner of ${names}. Hand over or delete what others work in first.`)
  }
  const { email } = await getUser(tx, user_id)
  for (const { id } of plan.deletes_projects) await deleteProject(tx, await getProject(tx, id), now)
  for (const { id } of plan.leaves_projects) {
    const { id: project_id } = await getProject(tx, id)
    await tx.delete(members).where(and(eq(members.project_id, project_id), eq(members.user_id, user_id)))
    await withdrawMember(tx, project_id, user_id, now)
    note(tx, { action: 'project-leave', target: `user:${user_id}`, project_id })
  }
  for (const { id } of plan.deletes_apps) await deleteApp(tx, await getApp(tx, id))
  for (const { id, to } of plan.hands_over_apps) {
    await tx.delete(app_team).where(and(eq(app_team.app_id, id), eq(app_team.user_id, to)))
    await tx.update(apps).set({ user_id: to, updated_at: now }).where(eq(apps.id, id))
  }
  await endGrants(tx, user_id, now)
  for (const table of [
    sessions,
    devices,
    passkeys,
    totp_factors,
    recovery_codes,
    identities,
    password_resets,
    email_changes,
    app_team,
    app_test_projects,
    api_keys,
  ])
    await tx.delete(table).where(eq(table.user_id, user_id))
  await tx.delete(invitations).where(eq(invitations.invited_by, user_id))
  await tx.delete(app_invitations).where(eq(app_invitations.invited_by, user_id))
  await tx.delete(account_messages).where(eq(account_messages.recipient, email))
  await tx
    .update(users)
    .set({ ...NOBODY, email_key: user_id, disabled_at: now, deleted_at: now, updated_at: now })
    .where(eq(users.id, user_id))
  const parts = {
    subject: 'Your account was deleted',
    paragraphs: [`Your account at ${hostOf(base_url)} was deleted, as you asked.`],
    closing: 'This is the last message.',
  }
  await queueNotice(tx, sender, { kind: 'security_notice', recipients: [email] }, parts)
  note(tx, { action: 'account-delete', target: `user:${user_id}` })
}

/** The values that replace personal data in the row of a deleted account. */
const NOBODY = {
  email: '',
  password_hash: null,
  first_name: '',
  last_name: '',
  admin: false,
  confirmed_at: null,
  last_sign_in_at: null,
}

async function endGrants(tx: Tx, user_id: string, now: number): Promise<void> {
  const granted = await tx
    .select({ id: authorizations.id })
    .from(authorizations)
    .where(and(eq(authorizations.user_id, user_id), isNull(authorizations.revoked_at)))
  for (const { id } of granted) await endAuthorization(tx, id, now)
  await tx.run(sql`DELETE FROM authorization_codes WHERE user_id = ${user_id}`)
}

import { and, desc, eq, lt, or, sql } from 'drizzle-orm'
import { isOnTeam } from '../access/app-team.ts'
import { isAdministrator, requireAdministrator } from '../access/permission.ts'
import { AppError, invalid, invalidState, notFound } from '../errors.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one } from '../store/rows.ts'
import { apps } from '../store/tables/apps.ts'
import { app_versions, review_requests, type ReviewStatus, type VersionStatus } from '../store/tables/developer.ts'
import { type App, getApp, isApproved, openApp } from './apps.ts'
import { getVersion, publish } from './versions.ts'

const MAX_SUBMISSIONS = 100

/**
 * A developer submits a version; a reviewer decides whether sites get it (docs/api/scripts.md#versions-and-review).
 *
 *   pending ──approve──▶ approved            the version goes live
 *      ├─────reject────▶ rejected            with a comment
 *      ├─ask for changes─▶ changes_requested with a comment
 *      └─withdraw──────▶ withdrawn           by the team; the version may be submitted again
 *
 * An approved app stays approved, whatever happens to a later version.
 */
export type ReviewRequest = typeof review_requests.$inferSelect

/** Submits a version. CONFLICT when a version of the app is under review, INVALID_STATE when this one is no draft. */
export async function requestReview(
  tx: Tx,
  user_id: string,
  { app_id, version_id }: Pick<ReviewRequest, 'app_id' | 'version_id'>,
  now: number,
): Promise<ReviewRequest> {
  const app = await openApp(tx, app_id, user_id, 'change')
  const version = await getVersion(tx, app_id, version_id)
  const [pending] = await tx
    .select({ id: review_requests.id })
    .from(review_requests)
    .where(and(eq(review_requests.app_id, app_id), eq(review_requests.status, 'pending')))
  if (pending) throw new AppError('CONFLICT', 'A version of this app is under review. Withdraw it first, or wait.')
  if (version.status !== 'draft')
    throw invalidState(`This version is already ${version.status}. Create a new one.`, version.status)
  if ((await tx.$count(review_requests, eq(review_requests.version_id, version_id))) >= MAX_SUBMISSIONS)
    throw new AppError('CONFLICT', `A version is submitted at most ${MAX_SUBMISSIONS} times. Create a new one.`)
  const request = one(
    await tx
      .insert(review_requests)
      .values({ app_id, version_id, status: 'pending', submitted_by: user_id, created_at: now })
      .returning(),
  )
  await markVersion(tx, version_id, 'submitted')
  if (!isApproved(app)) await markApp(tx, app_id, 'in_review', now)
  return request
}

interface ReviewFilter {
  status?: ReviewStatus | undefined
  /** Only requests submitted before this one. */
  before_id?: number | undefined
  limit: number
}

/** Review requests, the newest first: all of them for a reviewer, those of their own apps for others. */
export async function listReviewRequests(
  db: Reader,
  user_id: string,
  { status, before_id, limit }: ReviewFilter,
): Promise<ReviewRequest[]> {
  const own = sql`EXISTS (
    SELECT 1 FROM apps app WHERE app.id = ${review_requests.app_id} AND (app.user_id = ${user_id} OR EXISTS (
      SELECT 1 FROM app_team member WHERE member.app_id = app.id AND member.user_id = ${user_id})))`
  return db
    .select()
    .from(review_requests)
    .where(
      and(
        (await isAdministrator(db, user_id)) ? undefined : own,
        status === undefined ? undefined : eq(review_requests.status, status),
        before_id === undefined ? undefined : lt(review_requests.id, before_id),
      ),
    )
    .orderBy(desc(review_requests.id))
    .limit(limit)
}

/** NOT_FOUND for a user who is neither a reviewer nor in the app's team. */
export async function getReviewRequest(db: Reader, user_id: string, id: number): Promise<ReviewRequest> {
  const [request] = await db.select().from(review_requests).where(eq(review_requests.id, id))
  if (!request || !((await isAdministrator(db, user_id)) || (await isOnTeam(db, request.app_id, user_id))))
    throw notFound('review request')
  return request
}

export type Decision = 'approved' | 'rejected' | 'changes_requested'

/**
 * Decides a request and returns it with the app as it was before. A refusal needs a comment. FORBIDDEN for other users,
 * CONFLICT when it is already decided.
 */
export async function decide(
  tx: Tx,
  user_id: string,
  { id, decision, comment }: { id: number; decision: Decision; comment: string },
  now: number,
): Promise<{ request: ReviewRequest; before: App }> {
  await requireAdministrator(tx, user_id)
  const before = await getApp(tx, (await getReviewRequest(tx, user_id, id)).app_id)
  if (decision !== 'approved' && comment.trim() === '')
    throw invalid('/comment', 'A comment with the reason is required.')
  const request = await move(tx, id, decision, { comment, decided_by: user_id, decided_at: now })
  if (decision === 'approved') {
    await markVersion(tx, request.version_id, 'approved')
    await publish(tx, await getVersion(tx, request.app_id, request.version_id), now)
  } else {
    await markVersion(tx, request.version_id, 'rejected')
    await markApp(tx, request.app_id, decision === 'rejected' ? 'rejected' : 'development', now)
  }
  return { request, before }
}

/** The team withdraws its request. CONFLICT when it is already decided. */
export async function withdraw(tx: Tx, user_id: string, id: number, now: number): Promise<ReviewRequest> {
  const { app_id } = await getReviewRequest(tx, user_id, id)
  await openApp(tx, app_id, user_id, 'change')
  const request = await move(tx, id, 'withdrawn', { decided_at: now })
  await markVersion(tx, request.version_id, 'draft')
  await markApp(tx, app_id, 'development', now)
  return request
}

async function move(
  tx: Tx,
  id: number,
  status: ReviewStatus,
  decision: Partial<ReviewRequest>,
): Promise<ReviewRequest> {
  const [moved] = await tx
    .update(review_requests)
    .set({ ...decision, status })
    .where(and(eq(review_requests.id, id), eq(review_requests.status, 'pending')))
    .returning()
  if (!moved) throw new AppError('CONFLICT', 'This request is already decided.')
  return moved
}

async function markVersion(tx: Tx, version_id: number, status: VersionStatus): Promise<void> {
  await tx.update(app_versions).set({ status }).where(eq(app_versions.id, version_id))
}

/** Sets the status of an app that is not approved. */
async function markApp(
  tx: Tx,
  app_id: string,
  status: 'in_review' | 'development' | 'rejected',
  now: number,
): Promise<void> {
  await tx
    .update(apps)
    .set({ status, updated_at: now })
    .where(
      and(
        eq(apps.id, app_id),
        or(eq(apps.status, 'in_review'), eq(apps.status, 'development'), eq(apps.status, 'rejected')),
      ),
    )
}

import { Type } from '@sinclair/typebox'
import {
  announceDecision,
  announceRedirects,
  announceSubmission,
  announceSuspension,
} from '../../../developer/notices.ts'
import {
  decide,
  type Decision,
  getReviewRequest,
  listReviewRequests,
  requestReview,
  withdraw,
} from '../../../developer/reviews.ts'
import { liftSuspension, suspendApp } from '../../../developer/suspension.ts'
import { Id, Limit, obj, prose, enumOf, ruled } from '../../../schema.ts'
import { REVIEW_STATUSES } from '../../../store/tables/developer.ts'
import { route } from '../../core/route.ts'
import { APPS } from './apps.routes.ts'
import { AppRecord, appRecord, ReviewRecord, reviewRecord } from './records.ts'

const REVIEWS = '/user/review-requests'
const REVIEW = `${REVIEWS}/:id` as const
const Response = obj({ review_request: ReviewRecord })
const Comment = obj({ comment: Type.Optional(prose(4000)) })
const Reason = ruled(Comment, { required: ['comment'], properties: { comment: { pattern: '\\S' } } })

/** A developer submits a version, a reviewer decides (docs/api/scripts.md#versions-and-review). */
export const reviewRoutes = [
  route({
    method: 'GET',
    path: REVIEWS,
    summary: 'Review requests, newest first: reviewers see all, developers those of their apps.',
    auth: 'session',
    query: Type.Object({
      limit: Type.Optional(Limit),
      before_id: Type.Optional(Id),
      status: Type.Optional(enumOf(REVIEW_STATUSES)),
    }),
    response: obj({ review_requests: Type.Array(ReviewRecord) }),
    async read({ limit = 50, before_id, status }, { db, caller }) {
      const requests = await listReviewRequests(db, caller.user_id, { limit, before_id, status })
      return { review_requests: requests.map(reviewRecord) }
    },
  }),

  route({
    method: 'POST',
    path: REVIEWS,
    summary: 'Submits a version for review.',
    auth: 'session',
    audit: { target: { answer: 'review_request' }, ids: { app_id: 'app_id', version_id: 'version_id' } },
    body: obj({ app_id: Type.String({ minLength: 1 }), version_id: Id }),
    response: Response,
    errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_STATE'],
    async write({ app_id, version_id }, context) {
      const { tx, caller, now, wake, afterCommit } = context
      const request = await requestReview(tx, caller.user_id, { app_id, version_id }, now)
      await announceSubmission(tx, context, request)
      afterCommit(() => wake('mail'))
      return { review_request: reviewRecord(request) }
    },
  }),

  route({
    method: 'GET',
    path: REVIEW,
    summary: 'One review request.',
    auth: 'session',
    params: obj({ id: Id }),
    response: Response,
    read: async ({ id }, { db, caller }) => ({
      review_request: reviewRecord(await getReviewRequest(db, caller.user_id, id)),
    }),
  }),

  decision('approve', 'approved', 'Approves a version; for reviewers. Sites get it at once.'),
  decision('reject', 'rejected', 'Rejects a version; for reviewers. A comment is required.'),
  decision('request-changes', 'changes_requested', 'Asks for changes; for reviewers. A comment is required.'),

  route({
    method: 'POST',
    path: `${REVIEW}/withdraw`,
    summary: 'Withdraws a review request.',
    auth: 'session',
    audit: { target: { kind: 'review_request', input: 'id' } },
    params: obj({ id: Id }),
    body: obj({}),
    response: Response,
    errors: ['CONFLICT'],
    write: async ({ id }, { tx, caller, now }) => ({
      review_request: reviewRecord(await withdraw(tx, caller.user_id, id, now)),
    }),
  }),

  route({
    method: 'POST',
    path: `${APPS}/:id/suspend`,
    summary: 'Suspends an app; for reviewers.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' } },
    body: Reason,
    response: obj({ app: AppRecord }),
    errors: ['CONFLICT'],
    async write({ id, comment = '' }, context) {
      const { tx, caller, now, wake, afterCommit } = context
      const app = await suspendApp(tx, caller.user_id, { app_id: id, comment }, now)
      await announceSuspension(tx, context, app, comment)
      afterCommit(() => wake('mail'))
      return { app: appRecord(app) }
    },
  }),

  route({
    method: 'POST',
    path: `${APPS}/:id/unsuspend`,
    summary: 'Lifts the suspension of an app; for reviewers.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' } },
    body: obj({}),
    response: obj({ app: AppRecord }),
    errors: ['CONFLICT'],
    async write({ id }, context) {
      const { tx, caller, now, wake, afterCommit } = context
      const app = await liftSuspension(tx, caller.user_id, id, now)
      await announceSuspension(tx, context, app, null)
      afterCommit(() => wake('mail'))
      return { app: appRecord(app) }
    },
  }),
]

function decision(verb: string, decision: Decision, summary: string) {
  return route({
    method: 'POST',
    path: `${REVIEW}/${verb}`,
    summary,
    auth: 'session',
    audit: { target: { kind: 'review_request', input: 'id' } },
    params: obj({ id: Id }),
    body: decision === 'approved' ? Comment : Reason,
    response: Response,
    errors: ['CONFLICT'],
    async write({ id, comment = '' }, context) {
      const { tx, caller, now, wake, afterCommit } = context
      const { request, before } = await decide(tx, caller.user_id, { id, decision, comment }, now)
      await announceDecision(tx, context, request)
      await announceRedirects(tx, context, before)
      afterCommit(() => wake('mail'))
      return { review_request: reviewRecord(request) }
    },
  })
}

import { Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../clock.ts'
import { type App, openApp } from '../../developer/apps.ts'
import {
  decide,
  type Decision,
  getReviewRequest,
  listReviewRequests,
  requestReview,
  type ReviewRequest,
  withdraw,
} from '../../developer/reviews.ts'
import {
  checkScript,
  createScript,
  getScript,
  listScripts,
  removeScript,
  type Script,
  updateScript,
} from '../../developer/scripts.ts'
import {
  createVersion,
  type FullVersion,
  getVersion,
  listVersions,
  liveVersionId,
  rollBack,
  type Version,
} from '../../developer/versions.ts'
import { invalid, notFound } from '../../errors.ts'
import { Id, line, obj, prose, enumOf } from '../../schema.ts'
import { REVIEW_STATUSES, type ReviewStatus } from '../../store/tables/developer.ts'
import { PLACEMENTS, SCRIPT_TYPES } from '../../store/tables/scripts.ts'
import type { Runtime } from '../../runtime.ts'
import { APPS, asked, type Asking, changesApp, Comment, ofApp } from './developer.ts'
import { pageOf } from './developer-query.ts'
import type { Handler } from '../core/exchange.ts'
import { wholeNumber } from '../api/scripts.ts'

/** `…/:id/scripts`, `…/:id/versions` and `/user/review-requests`: what a developer writes, freezes and submits. */
export function versionRoutes(runtime: Runtime): [string, string, Handler][] {
  const { store } = runtime
  const scripts = `${APPS}/:id/scripts`
  const versions = `${APPS}/:id/versions`
  const decided = (decision: Decision) =>
    asked(runtime, Comment, async ({ user_id, params, now }, { comment = '' }) => ({
      review_request: reviewRecord(
        await store.write((tx) => decide(tx, user_id, idIn(params.id), decision, comment, now)),
      ),
    }))
  return [
    [
      'GET',
      scripts,
      ofApp(runtime, async (app) => ({ scripts: (await listScripts(store.db, app.id)).map(scriptRecord) }), 'read'),
    ],
    [
      'POST',
      scripts,
      asked(runtime, ScriptBody, async ({ user_id, params, now }, input) => {
        const text = checkScript(input)
        return {
          script: scriptRecord(
            await store.write(async (tx) =>
              createScript(tx, await openApp(tx, params.id ?? '', user_id, 'change'), text, now),
            ),
          ),
        }
      }),
    ],
    [
      'GET',
      `${scripts}/:scriptId`,
      ofApp(
        runtime,
        async (app, { params }) => ({ script: scriptRecord(await getScript(store.db, app.id, idIn(params.scriptId))) }),
        'read',
      ),
    ],
    [
      'PATCH',
      `${scripts}/:scriptId`,
      asked(runtime, ScriptChanges, async ({ user_id, params, now }, input) => {
        const changes = checkScript(input)
        return {
          script: scriptRecord(
            await store.write(async (tx) =>
              updateScript(
                tx,
                await openApp(tx, params.id ?? '', user_id, 'change'),
                idIn(params.scriptId),
                changes,
                now,
              ),
            ),
          ),
        }
      }),
    ],
    [
      'DELETE',
      `${scripts}/:scriptId`,
      changesApp(runtime, Nothing, async (tx, app, { params, now }) => {
        await removeScript(tx, app, idIn(params.scriptId), now)
        return { success: true }
      }),
    ],

    [
      'GET',
      versions,
      ofApp(
        runtime,
        async (app) => {
          const live = await liveVersionId(store.db, app.id)
          return { versions: (await listVersions(store.db, app.id)).map((version) => versionRecord(version, live)) }
        },
        'read',
      ),
    ],
    [
      'POST',
      versions,
      changesApp(runtime, Notes, async (tx, app, { user_id, now }, { notes = '' }) => ({
        version: versionRecord(await createVersion(tx, app, user_id, notes, now), null),
      })),
    ],
    [
      'GET',
      `${versions}/:versionId`,
      ofApp(runtime, async (app, asking) => ({ version: await fullVersion(runtime, app, asking) }), 'read'),
    ],
    [
      'POST',
      `${versions}/:versionId/rollback`,
      changesApp(runtime, Nothing, async (tx, app, { params, now }) => {
        const version = await rollBack(tx, app, idIn(params.versionId), now)
        return { version: versionRecord(version, version.id) }
      }),
    ],

    [
      'GET',
      REVIEWS,
      asked(runtime, Nothing, async ({ user_id, url }) => {
        const requests = await listReviewRequests(store.db, user_id, { ...pageOf(url), status: statusIn(url) })
        return { review_requests: requests.map(reviewRecord) }
      }),
    ],
    [
      'POST',
      REVIEWS,
      asked(runtime, Submission, async ({ user_id, now }, { app_id, version_id }) => ({
        review_request: reviewRecord(await store.write((tx) => requestReview(tx, user_id, app_id, version_id, now))),
      })),
    ],
    [
      'GET',
      `${REVIEWS}/:id`,
      asked(runtime, Nothing, async ({ user_id, params }) => ({
        review_request: reviewRecord(await getReviewRequest(store.db, user_id, idIn(params.id))),
      })),
    ],
    ['POST', `${REVIEWS}/:id/approve`, decided('approved')],
    ['POST', `${REVIEWS}/:id/reject`, decided('rejected')],
    ['POST', `${REVIEWS}/:id/request-changes`, decided('changes_requested')],
    [
      'POST',
      `${REVIEWS}/:id/withdraw`,
      asked(runtime, Nothing, async ({ user_id, params, now }) => ({
        review_request: reviewRecord(await store.write((tx) => withdraw(tx, user_id, idIn(params.id), now))),
      })),
    ],
  ]
}

const REVIEWS = '/user/review-requests'

const Nothing = obj({})
const Notes = obj({ notes: Type.Optional(prose(4000)) })
const Submission = obj({ app_id: Type.String({ minLength: 1 }), version_id: Id })
const ScriptBody = obj({
  name: line(200),
  type: enumOf(SCRIPT_TYPES),
  placement: enumOf(PLACEMENTS),
  code: Type.String(),
  parameters: Type.Optional(Type.Unknown()),
})
const ScriptChanges = Type.Partial(ScriptBody, { additionalProperties: false })

async function fullVersion(runtime: Runtime, app: App, { params }: Asking) {
  const version: FullVersion = await getVersion(runtime.store.db, app.id, idIn(params.versionId))
  return { ...versionRecord(version, await liveVersionId(runtime.store.db, app.id)), ...version.contents }
}

function idIn(segment: string | undefined): number {
  const id = wholeNumber(segment)
  if (id === null) throw notFound('resource with this id')
  return id
}

function statusIn(url: URL): ReviewStatus | undefined {
  const given = url.searchParams.get('status')
  if (given === null) return undefined
  const status = REVIEW_STATUSES.find((status) => status === given)
  if (status === undefined) throw invalid('/status', `Expected one of: ${REVIEW_STATUSES.join(', ')}.`)
  return status
}

function scriptRecord({ created_at, updated_at, ...script }: Script) {
  return { ...script, created_on: iso(created_at), last_update: iso(updated_at) }
}

/** `live` is the id of the version that sites get. */
function versionRecord({ id, number, app_id, status, notes, user_id, created_at }: Version, live: number | null) {
  return { id, number, app_id, status, live: id === live, notes, created_by: user_id, created_on: iso(created_at) }
}

function reviewRecord({
  id,
  app_id,
  version_id,
  status,
  comment,
  submitted_by,
  decided_by,
  created_at,
  decided_at,
}: ReviewRequest) {
  return {
    id,
    app_id,
    version_id,
    status,
    comment,
    submitted_by,
    decided_by,
    created_on: iso(created_at),
    decided_on: isoOrNull(decided_at),
  }
}

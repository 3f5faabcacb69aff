import { chapterOf } from '../../../src/shared/chapters.ts'
import { send } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import { APPS } from '../app-review/app-data.ts'
import { Skeleton } from '../ui/callout.tsx'
import { Facts } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { Drawer } from '../ui/dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { dateTime, number } from '../ui/format.ts'

interface OneCallProps {
  app_id: string
  /** The id of the row in the log. */
  id: string
  onClose: () => void
}

/** One call with its request and its answer, and links to the explanations of its error and its route. */
export function OneCall({ app_id, id, onClose }: OneCallProps) {
  const { data, error, reload } = useQuery(`${APPS}/${app_id}/requests/${id}`, (signal) =>
    send(
      'GET /user/developer/apps/:id/requests/:requestId',
      {},
      { params: { id: app_id, requestId: Number(id) }, signal },
    ),
  )
  const call = data?.request
  return (
    <Drawer title={call ? `${call.method} ${call.route}` : 'Call'} onClose={onClose}>
      {error && <ErrorNote title="The call could not be loaded." error={error} retry={reload} />}
      {!call && !error && <Skeleton lines={6} />}
      {call && (
        <div class="stack">
          <Facts
            facts={[
              { label: 'Status', value: call.status },
              ...(call.error === null
                ? []
                : [
                    {
                      label: 'Error',
                      value: (
                        <>
                          <a href={explanationOf(call.error, call.route)}>{call.error}</a> {saidIn(call.answer)}
                        </>
                      ),
                    },
                  ]),
              { label: 'Took', value: `${number(call.duration_ms)} ms` },
              { label: 'Project', value: call.project_id ?? 'none was named' },
              { label: 'When', value: dateTime(call.time) },
              {
                label: 'Reference',
                value: <a href={chapterOf(call.method, call.route)}>What the call takes and answers</a>,
              },
            ]}
          />
          <Code label="Request id" text={call.request_id} wrap />
          {call.address === null ? (
            <p class="quiet">What this call sent and got is not kept.</p>
          ) : (
            <>
              <Code label="Request" text={`${call.method} ${call.address}${bodyOf(call.sent)}`} wrap />
              {call.answer === null ? (
                <p class="quiet">Of the answer nothing is kept: it was no JSON.</p>
              ) : (
                <Code label="Answer" text={laidOut(call.answer)} wrap />
              )}
            </>
          )}
          <p class="quiet small">
            Kept for the last 50 calls and the last 200 that failed, at most seven days and 4,000 characters each,
            without headers, passwords, keys, tokens and codes. Your team sees it; it may hold data of people. It goes
            when one of the project’s contacts is deleted, or when the app loses its access to the project.
          </p>
        </div>
      )}
    </Drawer>
  )
}

/** Where a code is explained: OAuth has codes of its own; the words of other routes are codes in small letters. */
function explanationOf(error: string, route: string): string {
  // The log leaves the root of the API out but for routes with the errors of OAuth (docs/api/oauth.md#clients).
  if (/^\/general\/(?:oauth|api)\//.test(route)) return `/docs/errors#${error}`
  // These two words stand for many codes, and none of them is called so.
  const isNoCode = error === 'invalid_request' || error === 'internal_error'
  return `/docs/errors#${isNoCode ? 'codes' : error.toUpperCase()}`
}

function bodyOf(sent: string | null): string {
  return sent === null ? '' : `\n\n${laidOut(sent)}`
}

/** JSON with line breaks. */
function laidOut(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}

/** The sentence of a refusal, in any of its shapes (docs/api/errors.md). */
function saidIn(answer: string | null): string {
  const given = (answer === null ? {} : JSON.parse(answer)) as {
    message?: string
    error_description?: string
    error?: { message?: string } | string
  }
  const inner = typeof given.error === 'object' ? given.error.message : undefined
  return inner ?? given.message ?? given.error_description ?? ''
}

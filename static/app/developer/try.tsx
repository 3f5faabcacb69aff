import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { sendOnce, type RouteResponse } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { type ErrorLike, errorOf } from '../ui/error-note.tsx'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Skeleton } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { PageHead } from '../ui/page.tsx'
import { endTry } from './try-app.ts'
import { tryCall, type Tried } from './try-call.ts'

type Answer = RouteResponse<'POST /user/developer/apps/:id/try'>
type Outcome = { error: ErrorLike } | { refusal: string } | { token: NonNullable<Answer['token']> }

const PROJECTS = '/general/api/v1/project/list'

/** Where the code of a first call arrives: it is shown, changed for a token, and the token is used. */
export default function TryPage({ params, query }: PageProps) {
  const id = params.id!
  const { code, state, error, error_description } = query
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  useEffect(() => {
    const verifier = endTry(id, state)
    if (code === undefined) setOutcome({ refusal: error_description ?? error ?? 'No code came with this address.' })
    else if (verifier === null) setOutcome({ refusal: 'This code was not asked for in this window.' })
    else void exchange(id, code, verifier).then(setOutcome)
    // The code works once, so it does not stay in the address.
    history.replaceState(history.state, '', location.pathname)
  }, [])
  return (
    <>
      <PageHead title="The first call" back={{ href: link(`/apps/${id}`), label: 'App' }} />
      <div class="stack">
        {code !== undefined && (
          <Card title="1. The code">
            <div class="stack">
              <p>An app of yours finds it in the address that people are sent back to. It works once, for a minute.</p>
              <Code label="Code" text={code} wrap />
            </div>
          </Card>
        )}
        {outcome === null && code !== undefined && (
          <Card title="2. The token">
            <div class="stack">
              <p>The code is being changed for a token.</p>
              <Skeleton lines={2} />
            </div>
          </Card>
        )}
        {outcome !== null && 'error' in outcome && (
          <>
            <ErrorNote title="The code was not changed for a token." error={outcome.error} />
            <div>
              <Button href={link(`/apps/${id}`)}>Begin again</Button>
            </div>
          </>
        )}
        {outcome !== null && 'refusal' in outcome && (
          <Callout
            tone="bad"
            title="There is no token."
            actions={<Button href={link(`/apps/${id}`)}>Begin again</Button>}
          >
            <p>{outcome.refusal}</p>
          </Callout>
        )}
        {outcome !== null && 'token' in outcome && <Token of={outcome.token} />}
      </div>
    </>
  )
}

async function exchange(id: string, code: string, code_verifier: string): Promise<Outcome> {
  try {
    const params = { id }
    const { token, refusal } = await sendOnce('POST /user/developer/apps/:id/try', { code, code_verifier }, { params })
    return token === null ? { refusal: refusal ?? '' } : { token }
  } catch (error) {
    return { error: errorOf(error) }
  }
}

function Token({ of: { access_token, expires_in, scope } }: { of: NonNullable<Answer['token']> }) {
  const [tried, setTried] = useState<Tried | null>(null)
  const minutes = Math.round(expires_in / 60)
  const listed = { method: 'GET', path: PROJECTS, auth: 'oauth2', parameters: [] } as const
  const call = useAction(() => tryCall({ call: listed, credential: access_token, values: {}, body: null }), {
    done: setTried,
  })
  return (
    <>
      <Card title="2. The token">
        <div class="stack">
          <p>
            It is shown this once, acts for you with <code>{scope}</code>, and works for {minutes} minutes. A server
            gets a refresh token beside it.
          </p>
          <Code label="Access token" text={access_token} wrap />
        </div>
      </Card>
      <Card title="3. The call">
        <div class="stack">
          <p>This asks for the projects that the app was let into.</p>
          <Code
            label="Command for a call"
            text={`curl ${data.base_url}${PROJECTS} -H "Authorization: Bearer ${access_token}"`}
            wrap
          />
          <div>
            <Button kind="primary" main busy={call.busy} onClick={() => void call.run(undefined)}>
              Call it here
            </Button>
          </div>
          {call.error && <ErrorNote title="There was no answer." error={call.error} />}
          {tried && <Code label={`Answer: ${tried.status} in ${tried.ms} ms`} text={tried.text} wrap />}
        </div>
      </Card>
    </>
  )
}

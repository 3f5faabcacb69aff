import { data as document } from '../api/data.ts'
import { Code } from '../ui/code.tsx'
import type { App } from '../app-review/app-data.ts'
import { tryAddress } from './try-app.ts'

/** Three commands that lead from the client id to an answer, for developers with a server. */
export function OwnServer({ app }: { app: App }) {
  const { client_id, redirect_uris, scopes, client_type } = app
  const base = document.base_url
  // The service's own page of the first call takes the code for itself.
  const redirect = redirect_uris.find((uri) => uri !== tryAddress(app.id)) ?? 'http://127.0.0.1:3000/callback'
  const secret =
    client_type === 'confidential' ? ' -d client_secret=$CLIENT_SECRET' : ' -d code_verifier=$CODE_VERIFIER'
  const authorize = `${base}/general/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirect,
    scope: scopes.join(' '),
    state: 'xyz',
  }).toString()}${client_type === 'public' ? '&code_challenge=$CODE_CHALLENGE&code_challenge_method=S256' : ''}`
  return (
    <ol class="stack">
      <li class="stack stack-tight">
        <p>Let the app into a project of yours, and take the code from the address that you are sent back to.</p>
        {client_type === 'confidential' && (
          <p>
            <a class="button button-primary" href={authorize} target="_blank" rel="noopener">
              Let {app.displayName} into a project
            </a>
          </p>
        )}
        <Code label="Address" text={authorize} wrap />
      </li>
      <li class="stack stack-tight">
        <p>Change the code for an access token.</p>
        <Code
          label="Command for a token"
          wrap
          text={
            `curl -X POST ${base}/general/oauth/token -d grant_type=authorization_code -d code=$CODE ` +
            `-d client_id=${client_id} -d redirect_uri=${redirect}${secret}`
          }
        />
      </li>
      <li class="stack stack-tight">
        <p>Call the API with it: this asks for the projects that it was let into.</p>
        <Code
          label="Command for a call"
          wrap
          text={`curl ${base}/general/api/v1/project/list -H "Authorization: Bearer $MASTHEAD_TOKEN"`}
        />
      </li>
    </ol>
  )
}

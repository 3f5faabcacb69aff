import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { sendOnce } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyButton } from '../ui/code.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { App } from '../app-review/app-data.ts'
import { OwnServer } from './own-server.tsx'
import { beginTry } from './try-app.ts'

const WAYS = [
  { id: 'try', label: 'Just try it' },
  { id: 'server', label: 'My own server' },
  { id: 'script', label: 'A script for sites' },
] as const

/** Three ways from the client id to a first answer. */
export function FirstCall({ app }: { app: App }) {
  const [way, setWay] = useState<(typeof WAYS)[number]['id']>('try')
  return (
    <Card title="The first call" actions={<CopyButton shown label="Copy client id" text={app.client_id} />}>
      <Tabs label="Where the app runs" tabs={WAYS} value={way} onChange={setWay}>
        {way === 'try' && <JustTry app={app} />}
        {way === 'server' && <OwnServer app={app} />}
        {way === 'script' && <ScriptForSites id={app.id} />}
      </Tabs>
    </Card>
  )
}

function JustTry({ app }: { app: App }) {
  const has_project = data.projects.length > 0
  const begin = useAction(async () => {
    if (!has_project) await sendOnce('POST /project/create', { name: 'To try with' })
    location.assign(beginTry(app))
  })
  return (
    <div class="stack">
      <p>
        The service asks you, as it asks everybody, which project the app may act in. Then it shows the code, changes it
        for a token, and makes the first call with it. You need no server and no secret.
      </p>
      <FlawSummary title="It could not begin." error={begin.error} />
      {app.require_par ? (
        <p>This app requires pushed requests, which only a server can send: see “My own server”.</p>
      ) : (
        <div>
          <Button kind="primary" main busy={begin.busy} onClick={() => void begin.run(undefined)}>
            {has_project ? `Let ${app.displayName} into a project` : 'Make a project to try with, and let it in'}
          </Button>
        </div>
      )}
    </div>
  )
}

function ScriptForSites({ id }: { id: string }) {
  return (
    <div class="stack">
      <p>
        A script needs no server: you write it here, with a placeholder for what each site sets. Your team tries a draft
        on the pages of a project of its own, and site owners switch it on once a version is approved.
      </p>
      <div>
        <Button kind="primary" href={link(`/apps/${id}/scripts`)}>
          Write a script
        </Button>
      </div>
    </div>
  )
}

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { sendOnce } from '../api/calls.ts'
import { invalidate } from '../api/query.ts'
import { confirmed } from '../confirm-identity.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { count } from '../ui/format.ts'
import { toast } from '../ui/toast.tsx'
import { type App, APPS, useInstalls } from '../app-review/app-data.ts'

/** Deletes an app, and says first what ends with it. */
export function DeleteApp({ app: { id, displayName } }: { app: App }) {
  const { route } = useLocation()
  const [isAsked, setAsked] = useState(false)
  const totals = useInstalls(id).data?.totals
  return (
    <Card title="Delete the app">
      <div class="stack">
        <p>Its access, its secrets and its scripts on pages end at once. There is no way back.</p>
        <div>
          <Button kind="danger" onClick={() => setAsked(true)}>
            Delete {displayName}…
          </Button>
        </div>
      </div>
      {isAsked && (
        <ConfirmDialog
          title={`Delete ${displayName}?`}
          verb="Delete 1 app"
          no="Keep it"
          danger
          typed={displayName}
          disabled_reason={totals === undefined ? 'What ends with it is counted first.' : null}
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            await confirmed(() => sendOnce('DELETE /user/developer/apps/:id', {}, { params: { id } }))
            invalidate(APPS)
            toast({ text: `${displayName} is deleted.` })
            route(link('/'))
          }}
        >
          {totals && (
            <ul class="consequences">
              {totals.users === 0 ? (
                <li>Nobody uses it.</li>
              ) : (
                <li>
                  {count(totals.projects, 'project', 'projects')} and {count(totals.users, 'person', 'people')} lose it:
                  its tokens are refused from the next call on.
                </li>
              )}
              {totals.script_connections > 0 && (
                <li>
                  {count(totals.script_connections, 'script', 'scripts')} on pages of sites are gone with the next view.
                </li>
              )}
              <li>Its versions, reviews, listing, pictures and request log are erased, for the whole team.</li>
            </ul>
          )}
        </ConfirmDialog>
      )}
    </Card>
  )
}

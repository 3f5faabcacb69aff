// The words of refusals come with this file: whoever waits for an answer does not wait for them.
import '../api/refusal-words.ts'
import { CallsDrawer } from './calls-drawer.tsx'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { KeyList } from './key-list.tsx'
import { Palette } from './palette.tsx'
import { openPanel } from './panels.ts'
import { SessionOver } from './session-over.tsx'

/** What opens over the page. `OverPageLater` loads the code of all of it as one file. */
export function OverPage() {
  return (
    <>
      {openPanel.value === 'calls' && <CallsDrawer />}
      {openPanel.value === 'palette' && <Palette />}
      {openPanel.value === 'keys' && <KeyList />}
      <ConfirmIdentity />
      <SessionOver />
    </>
  )
}

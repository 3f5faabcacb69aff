import { data } from '../../api/data.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { dateTime } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { deviceName } from './device.ts'
import { evidenceText, sourceWords } from './evidence.ts'
import type { Consent, ConsentDocument } from './history.ts'

interface ConsentPaperProps {
  document: ConsentDocument
  email: string
  listName: (id: number | null) => string
}

export const CONSENT_TITLES: Record<Consent['action'], string> = {
  given: 'Consent',
  confirmed: 'Confirmation',
  withdrawn: 'Consent withdrawn',
}

/** One consent as a document. */
export function ConsentPaper({ document, email, listName }: ConsentPaperProps) {
  const { given, list_ids, confirmed } = document
  const isWithdrawn = given.action === 'withdrawn'
  return (
    <div class="consent">
      {given.text === '' ? (
        !isWithdrawn && <p class="consent-missing">No wording was kept.</p>
      ) : (
        <blockquote class="consent-text">{`“${given.text}”`}</blockquote>
      )}
      <p>
        <span class="quiet">{list_ids.length === 1 ? 'List: ' : 'Lists: '}</span>
        {list_ids.map(listName).join(', ')}
      </p>
      <p>
        <span class="quiet">Given </span>
        {sourceWords(given.source)}
        <From consent={given} />
      </p>
      {confirmed && (
        <p>
          <span class="quiet">Confirmed </span>
          {dateTime(confirmed.at)}
          <From consent={confirmed} />
        </p>
      )}
      <p>
        <Button small icon="copy" onClick={() => void copyEvidence(document, email, listName)}>
          Copy as evidence
        </Button>
      </p>
    </div>
  )
}

async function copyEvidence(
  document: ConsentDocument,
  email: string,
  list: ConsentPaperProps['listName'],
): Promise<void> {
  try {
    await copyText(evidenceText(document, { project: data.project!.name, email, list }))
    toast({ text: 'The evidence is copied.', tone: 'good' })
  } catch {
    toast({ text: 'This browser did not let the text be copied.', tone: 'bad' })
  }
}

/** ", from 203.0.113.7, Firefox on Linux" */
function From({ consent: { ip, user_agent, caller } }: { consent: Consent }) {
  const parts = [ip, deviceName(user_agent)].filter(Boolean)
  return (
    <>
      {parts.length > 0 && `, from ${parts.join(', ')}`}
      {caller && <span class="quiet">{`, told by ${caller.ip}`}</span>}
    </>
  )
}

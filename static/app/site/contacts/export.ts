import { useState } from 'preact/hooks'
import { projectId } from '../../api/data.ts'
import { ApiError } from '../../api/errors.ts'
import { request } from '../../api/request.ts'
import { asRules } from '../../rules/tree.ts'
import { saveFile } from '../../ui/csv.ts'
import { toast } from '../../ui/toast.tsx'
import type { Target } from './target.ts'

/** The time limit for a long list. */
const TIMEOUT_MS = 15 * 60_000

/** Downloads contacts as CSV. */
export function useExport() {
  const [busy, setBusy] = useState(false)
  const run = async (target: Target) => {
    if (busy) return
    setBusy(true)
    try {
      await exportCsv(target)
      toast({ text: 'The file is ready.', tone: 'good' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast({ text: `Nothing was exported. ${error.message}`, tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return { run, busy }
}

async function exportCsv(target: Target): Promise<void> {
  const text = await request<string>({
    method: 'POST',
    path: '/project/newsletter/contacts/export',
    body: { project_id: projectId(), ...whoIn(target) },
    is_repeatable: true,
    timeout_ms: TIMEOUT_MS,
  })
  saveFile('contacts.csv', new Blob([text], { type: 'text/csv' }))
}

/** The contacts of a page are named by their addresses: a page has no more of them than a rule may have values. */
function whoIn(target: Target) {
  if (target.kind === 'matching') return { search: target.search, filter: target.filter }
  const value = target.contacts.map(({ email }) => email)
  return { filter: asRules({ op: 'and', rules: [{ field: 'email', operator: 'in', value }] }) }
}

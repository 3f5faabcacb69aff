import type { Job } from '../api/operations.d.ts'
import { link } from './place.ts'

export type { Job }

const KINDS: Record<Job['kind'], string> = {
  bulk: 'Change of many contacts',
  import: 'Import',
  segment_materialize: 'Tagging a segment',
  campaign_prepare: 'Preparing a campaign',
}

export function jobName({ kind }: Job): string {
  return KINDS[kind]
}

/** The page that shows what a job works on. */
export function jobHref(_: Job): string {
  return link('/activity')
}

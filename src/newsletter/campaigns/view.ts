import { and, eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime.ts'
import { projects } from '../../store/tables/accounts.ts'
import { campaigns, deliveries } from '../../store/tables/delivery.ts'
import { openRecipientToken } from '../tracking/links.ts'
import { getSettings } from '../connections/settings.operations.ts'
import { fillEmail } from '../email/render.ts'
import { addressees, commonValues, compileCampaign, linkValues, personalValues } from './content.ts'

/**
 * The message behind a recipient's link, as HTML, for reading in a browser. `gone` when the recipient or the message
 * is there no more; null for a token that is not ours. A deleted campaign can still be read by those who got it.
 */
export async function messageOf(runtime: Runtime, token: string): Promise<string | 'gone' | null> {
  const named = openRecipientToken(runtime.keys, token)
  if (!named) return null
  const { db } = runtime.store
  const [row] = await db
    .select({ campaign: campaigns, project: projects, delivered: deliveries.created_at })
    .from(campaigns)
    .innerJoin(projects, eq(projects.id, campaigns.project_id))
    .innerJoin(deliveries, eq(deliveries.id, named.delivery_id))
    .where(and(eq(campaigns.id, named.campaign_id), eq(deliveries.campaign_id, campaigns.id)))
  const person = (await addressees(db, [named.contact_id])).get(named.contact_id)
  if (!row || !person) return 'gone'
  const settings = await getSettings(db, row.project.id)
  const email = compileCampaign({ ...row, settings })
  return fillEmail(email, {
    ...commonValues({ ...row, settings }, row.delivered),
    ...personalValues(person),
    ...linkValues(runtime.base_url, token),
  }).html
}

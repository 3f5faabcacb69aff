import type { World } from './world.ts'

/** People of a harbour, for pages that list them: every second is from Norway, every third a customer. */
export interface Harbour {
  weekly: number
  offers: number
  press: number
  customer: number
}

export const HOW_MANY = 260

export async function fillHarbour(world: World, how_many = HOW_MANY): Promise<Harbour> {
  const list = async (name: string, more: Record<string, unknown> = {}): Promise<number> =>
    (await world.ok('lists/create', { name, ...more })).list.id
  const weekly = await list('Weekly', { double_opt_in: true, description: 'One letter each Thursday.' })
  const offers = await list('Offers')
  const press = await list('Press', { public: false })
  const customer = (await world.ok('tags/create', { name: 'customer', color: '#1d6b3a' })).tag.id as number
  const options = ['Norway', 'Sweden']
  await world.ok('custom-fields/create', { key: 'country', label: 'Country', type: 'select', options })
  await world.ok('custom-fields/create', { key: 'boats', label: 'Boats', type: 'number' })
  for (let index = 0; index < how_many; index += 1) {
    await world.ok('contacts/upsert', {
      email: `person${String(index).padStart(3, '0')}@example.com`,
      first_name: index % 5 === 0 ? 'Ada' : 'Bo',
      last_name: index % 7 === 0 ? 'Lind' : 'Holm',
      consent_text: 'On paper at the fair in Bergen.',
      list_ids: [offers, ...(index % 4 === 0 ? [press] : [])],
      ...(index % 3 === 0 && { tag_ids: [customer] }),
      custom_fields: { country: options[index % 2], boats: index % 10 },
    })
    if (index % 20 === 19) world.clock.advance(60_000)
  }
  return { weekly, offers, press, customer }
}

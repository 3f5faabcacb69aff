import { expect, test } from 'bun:test'
import { addressOf, ownPicture, publicName, urlOf } from '../../src/files/address.ts'

test('The address of a picture depends on its owner and its content.', () => {
  const bytes = new Uint8Array([1, 2])
  const address = addressOf('prj_a', { bytes })
  expect(address).toMatch(/^[0-9a-f]{32}$/)
  expect(addressOf('prj_a', { bytes })).toBe(address)
  expect(addressOf('prj_b', { bytes })).not.toBe(address)
  expect(addressOf('prj_a', { bytes: new Uint8Array([1]) })).not.toBe(address)
})

test('The name of a picture tells its type, and its own address is below the service.', () => {
  const picture = { address: 'abc', type: 'image/jpeg' as const }
  expect(publicName(picture)).toBe('abc.jpg')
  const others = (['image/png', 'image/gif', 'image/webp'] as const).map((type) => publicName({ address: 'a', type }))
  expect(others).toEqual(['a.png', 'a.gif', 'a.webp'])
  expect(urlOf('http://s', picture)).toBe('http://s/files/abc.jpg')
  expect(ownPicture('http://s', 'http://s/files/abc.jpg')).toBe('/files/abc.jpg')
  for (const other of ['http://s/filesabc', 'http://t/files/abc.jpg', '/files/abc.jpg'])
    expect(ownPicture('http://s', other)).toBeNull()
})

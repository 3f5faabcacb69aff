/**
 * The baselines from before the one that stays as it is, a line each: the beginning of the checksum, the commit that
 * made it, and its day. A database of one of them can be exported by the build of that commit.
 */
const FORMER_BASELINES = `
wVZHSJXuG4hm 6c462122 2026-11-22
GBJaB4sQfdI0 df958bd6 2026-11-22
5h-5rAg5HsJc 7fd4fcce 2026-11-22
gD999_9QqWJJ 64252daa 2026-11-22
EVHRYHmNCWCh b3c1b196 2026-11-22
h1oJCna2hrwE 6de983ed 2026-11-22
NSzTglK0wtvo 90824e29 2026-11-22
JJZWXz_QujYg 661ec9b7 2026-11-22
kmDeAfMBG5qn 6be03279 2026-11-22
z-ChNzqhvFnf ddaa2984 2026-11-22
FrHTSZcwsJaQ 3afd13ac 2026-11-22
PsqevGyxAsd6 85dcbb17 2026-11-22
pZIh6UJHrZYZ 80e86017 2026-11-22
GdGkfTehSrDU 530c4b96 2026-11-22
IwtSSasN7gd_ a6226608 2026-11-22
q94rw9WadpPA df5d5cf1 2026-11-22
h4iBB86phogx 53dd1873 2026-11-22
Fmc7ZvuWS6Vs 567441f2 2026-11-22
BCXscNTj10gN d719fb4b 2026-11-22
n97oH_eGPXPk 8374c564 2026-11-22
G5n2ImS9evEW 5b0b7424 2026-11-22
1Pfpg7P7d_1T d78bf2f1 2026-11-22
LrFImnbh1MlT 00437379 2026-11-22
vczFTCOriOzD 412ae1da 2026-11-22
WbdRYrO_5I2g 0287efd4 2026-11-22
JFRUgZd3AEZ- f64b3ba3 2026-11-22
EVFLHN5fTGUY 95a71ded 2026-11-22
Uu7DRlLgcwUF a1c043f2 2026-11-22
oJZwNnEsSSsm 01b582a2 2026-11-22
aRuI1hUtIvO0 bf0e29c9 2026-11-22
sQ2O1mFSe9LB 56719551 2026-11-22
paf_9F4P0YQv 09d369a9 2026-11-22
Zbyr4WgJ5Pix db1a4d8c 2026-11-22
u56TDH1OjoQF 24c13fb2 2026-11-22
X9OSqsMGGZkb 703116fc 2026-11-22
BfK3mXZXsErm 120cab12 2026-11-22
Fv0thTmnR9Wn 4accfc1f 2026-11-22
l_by_1MkEyog 6f831241 2026-11-22
QP4e5P7Rn8Pz 6ef727ed 2026-11-22
e_8M3aCoGUUZ 730a6a40 2026-11-22
BUY2bCAdN1-v c13d225d 2026-11-22
NxUmctC11w2e 9252cf7f 2026-11-22
_-WCsr9kjcf8 d9c629f0 2026-11-22
260ZSR_ku9ob 3298212b 2026-11-22
6iysGJpSeMKq d40c351b 2026-11-22
v8Bc0PDWCyz5 979b324f 2026-11-22
fRRL_2uqJDFI e74cdd7c 2026-11-22
UZJZrH8xKHaM ba72a160 2026-11-22
ZWbE49_1vsCk 8ca621e8 2026-11-22
joSUb0fO-_I1 650073f9 2026-11-22
SWf0yTRbTNeY af7eabb0 2026-11-22
`

/** The commit whose build created a database with this baseline checksum; null when none is known. */
export function formerBuild(checksum: string): string | null {
  for (const line of FORMER_BASELINES.split('\n')) {
    const [beginning, commit, day] = line.split(' ')
    if (beginning && checksum.startsWith(beginning)) return `The build of commit ${commit} (${day})`
  }
  return null
}

import { serviceForAll, type Tenant } from '../support/service';
import { JPEG, png, WEBP } from '../support/pictures';

const PICTURES = 6000;
const AT_ONCE = 20;
/** So many that none is over its limit of uploads. */
const WORKSPACES = 120;
/** What stands in the memory of the process for other customers. */
const SECRET = 'private-7f3a91';

/** A generator of the same numbers for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** They end like pictures, but the size that their headers announce would be behind their ends. */
const WITHOUT_SIZE = [
  Buffer.from('ffd8ffe00002ffc00011ffd9', 'hex'),
  Buffer.from('ffd8ffe00004ffc0ffc0ffffd9', 'hex'),
  Buffer.from('RIFF\x0c\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
  Buffer.from('RIFF\x0c\0\0\0WEBPVP8L\x0a\0\0\0', 'latin1'),
];

/** Begins like a picture and ends like one, but is cut off between, or says what is not so. */
function hostile(next: (below: number) => number): Buffer {
  if (next(3) === 0) return WITHOUT_SIZE[next(WITHOUT_SIZE.length)];
  const kind = next(3);
  const picture = Buffer.from([JPEG, png(9, 7), WEBP][kind]);
  for (let times = next(4); times > 0; times--) picture[3 + next(picture.length - 3)] = next(256);
  const file = Buffer.concat([
    picture.subarray(0, next(3) === 0 ? picture.length : 3 + next(40)),
    [Buffer.from('ffd9', 'hex'), Buffer.from('0000000049454e44ae426082', 'hex'), Buffer.alloc(0)][kind],
  ]);
  if (kind === 2 && file.length > 8) file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** Whether a file has a number in it, in one of the ways in which pictures say their size. */
function says(file: Buffer, size: number): boolean {
  const padded = Buffer.concat([file, Buffer.alloc(4)]);
  return Array.from(file).some((_, at) => {
    const [big, little] = [padded.readUInt32BE(at), padded.readUInt32LE(at)];
    const parts = [
      big,
      big >>> 16,
      little & 0x3fff,
      1 + (little & 0xffffff),
      1 + (little & 0x3fff),
      1 + ((little >>> 14) & 0x3fff),
    ];
    return parts.includes(size);
  });
}

describe(`${PICTURES} hostile pictures`, () => {
  const service = serviceForAll();

  it('learn nothing of other customers, and are 4xx or are the picture that was sent', async () => {
    const { slug } = await (await service.workspace()).publishedFlow();
    const workspaces: Tenant[] = [];
    for (let n = 0; n < WORKSPACES; n++) workspaces.push(await service.workspace());
    const next = numbersFrom(11);
    let sent = 0;
    const statuses = new Map<number, number>();
    const attack = async () => {
      const body = hostile(next);
      const answer = await workspaces[sent++ % WORKSPACES].client.send('POST', '/api/v1/public/images', {
        body,
        headers: { 'content-type': 'application/octet-stream' },
      });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const text = JSON.stringify(answer.body);
      expect(text).not.toContain(SECRET);
      for (const [, width, height] of text.matchAll(/(\d+) × (\d+)/g)) {
        expect([text, says(body, Number(width)), says(body, Number(height))]).toEqual([text, true, true]);
      }
    };
    const start = () =>
      service.client.post('/api/v1/runtime/session/init', {
        flow_slug: slug,
        customer: { id: SECRET, attributes: { plan: SECRET.repeat(20) } },
      });
    for (let batch = 0; batch < PICTURES / AT_ONCE; batch++) {
      await Promise.all([start(), ...Array.from({ length: AT_ONCE }, attack)]);
    }
    expect([...statuses.keys()].every((status) => [200, 201, 400].includes(status))).toBe(true);
    expect(statuses.get(400)).toBeGreaterThan(PICTURES / 2);
  });
});

/** An authenticator in software: it creates passkeys and signs with them, like a browser. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Present, and verified by a PIN or a finger. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

type Options = {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
};

export class SoftwarePasskey {
  readonly id = randomBytes(16).toString('base64url');
  readonly #origin: string;
  readonly #keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  counter = 0;
  isVerified = true;

  constructor(origin: string) {
    this.#origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** The answer to the options of a registration. */
  register({ challenge, rp }: Options, origin = this.#origin): object {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const key = [Buffer.alloc(16), length, id, this.#coseKey()];
    const authData = Buffer.concat([this.#head(rp?.id ?? '', HAS_KEY), ...key]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, origin),
        // A map of three: the format, an empty statement, and the data.
        attestationObject: Buffer.concat([
          Buffer.from([0xa3]),
          ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
          ...[cborText('authData'), cborBytes(authData)],
        ]).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** The answer to the options of a sign-in. */
  answer({ challenge, rpId }: Options, origin = this.#origin): object {
    const data = clientData('webauthn.get', challenge, origin);
    const authenticatorData = this.#head(rpId ?? '', 0);
    const hash = createHash('sha256').update(Buffer.from(data, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), this.#keys.privateKey);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: data,
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    };
  }

  #head(rpId: string, flags: number): Buffer {
    this.counter += 1;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(PRESENT | (this.isVerified ? VERIFIED : 0) | flags);
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
  }

  /** EC2, ES256, P-256, x and y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
}

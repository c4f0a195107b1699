/** Exchange rates as records of files. */
import { Type } from 'typebox';
import { type FxRate, goodsCurrencies, parseMargin, parseRate } from '../fx-rate.ts';
import { type RawRecord, readBySchema } from './read-by-schema.ts';
import type { RecordFault, RecordRead } from './record-fault.ts';

const FxRateRecord = Type.Object(
  { currency: Type.Enum([...goodsCurrencies]), rate: Type.String(), margin_percent: Type.String() },
  { additionalProperties: false },
);

export function readFxRateRecord(raw: RawRecord): RecordRead<FxRate> {
  return readBySchema(FxRateRecord, raw, ({ currency, rate, margin_percent: margin }) => {
    const rateMicro = parseRate(rate);
    const marginBasisPoints = parseMargin(margin);
    const faults: RecordFault[] = [];
    if (rateMicro === undefined) faults.push({ code: 'rate', field: 'rate', value: rate });
    if (marginBasisPoints === undefined) {
      faults.push({ code: 'margin', field: 'margin_percent', value: margin });
    }
    return rateMicro === undefined || marginBasisPoints === undefined
      ? { faults }
      : { item: { currency, rateMicro, marginBasisPoints } };
  });
}

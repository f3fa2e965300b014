// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { Telemetry } from '../../../common/telemetry.js';
import { LinkRefusals } from './link-refusals.js';

describe('[HST-7] refused attaches', () => {
  it('[HST-7] are reported when they change, and the newest one that matters is kept until it is over', () => {
    const telemetry = new Telemetry();
    const reported: (string | null)[] = [];
    telemetry.on('link.refused', ({ code, key }) => reported.push(code, key));
    const refusals = new LinkRefusals(telemetry);
    const wrong = (key: string): AngeliaError => new AngeliaError(ErrorCode.HermesSettingWrong, { key });
    const [a, again, b] = [wrong('a'), wrong('a'), wrong('b')];
    for (const error of [a, again, b]) refusals.note(error, true);
    refusals.note(new AngeliaError(ErrorCode.LinkProofInvalid), false);
    expect(reported).toEqual(['hermes_setting_wrong', 'a', 'hermes_setting_wrong', 'b', 'link_proof_invalid', null]);
    expect(refusals.newest).toBe(b);
    refusals.clear();
    expect(refusals.newest).toBeNull();
    refusals.note(a, true);
    expect(reported.slice(6)).toEqual(['hermes_setting_wrong', 'a']);
  });
});

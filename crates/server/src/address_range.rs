//! Ranges of IP addresses, such as `10.0.0.0/8`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use thiserror::Error;

/// One address, or all that share its first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    first: IpAddr,
    prefix_bits: u8,
}

/// The text is no address range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is neither an IP address nor a range such as 10.0.0.0/8")]
pub struct InvalidAddressRange(String);

impl AddressRange {
    /// Tells whether `address` is in the range. An IPv4 address that IPv6 carries counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.first, address.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(given)) => {
                let shift = 32 - u32::from(self.prefix_bits);
                (u64::from(first.to_bits()) >> shift) == (u64::from(given.to_bits()) >> shift)
            }
            (IpAddr::V6(first), IpAddr::V6(given)) => {
                let differing = first.to_bits() ^ given.to_bits();
                u32::from(self.prefix_bits) <= differing.leading_zeros()
            }
            _ => false,
        }
    }
}

impl FromStr for AddressRange {
    type Err = InvalidAddressRange;

    fn from_str(raw: &str) -> Result<AddressRange, InvalidAddressRange> {
        let invalid = || InvalidAddressRange(raw.to_owned());
        let (address, bits) = match raw.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (raw.trim(), None),
        };
        let first: IpAddr = address.parse().map_err(|_| invalid())?;
        let bits_max = if first.is_ipv4() { 32 } else { 128 };
        let prefix_bits = bits.map_or(Ok(bits_max), |bits| bits.parse().map_err(|_| invalid()))?;
        match prefix_bits <= bits_max {
            true => Ok(AddressRange { first, prefix_bits }),
            false => Err(invalid()),
        }
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.prefix_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_contains_what_shares_its_first_bits() {
        for (range, address, expected) in [
            ("10.0.0.0/8", "10.200.3.4", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("2001:db8::/32", "2001:db8:1::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("::/0", "2001:db9::1", true),
        ] {
            let range: AddressRange = range.parse().unwrap();
            assert_eq!(
                range.contains(address.parse().unwrap()),
                expected,
                "{range} {address}"
            );
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for raw in [
            "",
            "10.0.0.0/33",
            "10.0.0/8",
            "::/129",
            "10.0.0.0/-1",
            "proxy.example",
        ] {
            assert!(raw.parse::<AddressRange>().is_err(), "{raw}");
        }
    }
}

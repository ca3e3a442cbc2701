//! Whole numbers in arguments. An error states the accepted range.

/// Reads a whole number, `min` or more.
pub(crate) fn at_least<T: TryFrom<u64>>(min: u64) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |raw| {
        let number = raw.parse::<u64>().ok().filter(|number| min <= *number);
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("must be a whole number, {min} or more"))
    }
}

/// Reads a whole number from `min` to `max`.
pub(crate) fn between<T: TryFrom<u64>>(min: u64, max: usize) -> impl Fn(&str) -> Result<T, String> + Clone {
    let max = u64::try_from(max).unwrap_or(u64::MAX);
    move |raw| {
        let number = raw.parse::<u64>().ok();
        let number = number.filter(|number| (min..=max).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("must be a whole number from {min} to {max}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_is_refused_with_the_range() {
        let limit = between::<usize>(1, 1_000);
        assert_eq!(limit("1000"), Ok(1_000));
        for bad in ["0", "1001", "-1", "1.5", "many", "", "99999999999999999999"] {
            assert_eq!(
                limit(bad),
                Err("must be a whole number from 1 to 1000".to_owned()),
                "{bad}"
            );
        }
        let version = at_least::<u32>(1);
        assert_eq!(version("7"), Ok(7));
        for bad in ["0", "-1", "4294967296"] {
            assert_eq!(version(bad), Err("must be a whole number, 1 or more".to_owned()));
        }
    }
}
